// The two perl programs of the loss-free Linux way: what Node has no call for. Always true: neither reads output nor
// holds a master; both end when the runtime ends. Numbers are Linux's: 0x40045431 TIOCSPTLCK, 0x5401 TCGETS, 0x5402
// TCSETS, 0x4000 IUTF8, 434 pidfd_open, 436 close_range.

/** Unlocks the slaves of the masters that it finds at descriptors 3 and up; as many as its argument says. */
export const UNLOCK = `
for my $fd (3 .. 2 + $ARGV[0]) {
  open my $master, "+<&=", $fd or exit 1;
  my $no = pack "i", 0;
  ioctl $master, 0x40045431, $no or exit 1;
}
`;

/**
 * Starts programs as leaders of process sessions, for as long as its standard input is open. A request is a 32-bit
 * length and texts joined by NUL: `start`, id, terminal, program, folder, number of arguments, arguments, names and
 * values of the environment; or `mode`, id, terminal. It answers in lines: `started ID PID`, `mode ID LFLAG` (c_lflag of
 * termios(3)), `failed ID STEP ERRNO`, and unasked `exit PID STATUS` (as of wait(2)).
 *
 * Opening the terminal without O_NOCTTY makes it the new session's controlling one. Every descriptor above 2 is
 * close-on-exec (perl's default), so the report pipe ends when the program runs. A leader's end is seen through a
 * pidfd; kernels without it are asked 20 times a second. Who is ready is noted before anything is closed: a new pidfd
 * may get the number of a report pipe that was ready.
 */
export const STARTER = `
use POSIX ();
$0 = "openfloor-starter";
syscall 436, 3, 0xffffffff, 0;
my ($input, $wanted, %starting, %leader, %unwatched) = ("", "");
vec($wanted, 0, 1) = 1;
sub tell_line { my $line = "$_[0]\\n"; syswrite STDOUT, $line }
sub become {
  my ($report, $terminal, $program, $folder, $argv, $env) = @_;
  my $fail = sub { syswrite $report, $_[0] . " " . ($! + 0); POSIX::_exit(127) };
  POSIX::setsid();
  chdir $folder or $fail->("chdir");
  open STDIN, "+<", $terminal or $fail->("open"); open STDOUT, ">&0"; open STDERR, ">&0";
  my $mode = "";
  if (ioctl STDIN, 0x5401, $mode) {
    $mode = pack("L", unpack("L", $mode) | 0x4000) . substr $mode, 4; ioctl STDIN, 0x5402, $mode;
  }
  %ENV = @$env;
  exec { $program } @$argv; $fail->("exec");
}
sub line_mode {
  my ($id, $terminal) = @_;
  my $mode = "";
  # O_RDONLY, O_NOCTTY and O_NONBLOCK: a look must not make it the starter's own terminal.
  sysopen my $tty, $terminal, 0x900 or return tell_line("failed $id open " . ($! + 0));
  ioctl $tty, 0x5401, $mode or return tell_line("failed $id ioctl " . ($! + 0));
  tell_line("mode $id " . (unpack "L4", $mode)[3]);
}
sub start {
  my ($id, $terminal, $program, $folder, $count, @rest) = @_;
  my @argv = splice @rest, 0, $count;
  pipe my $read, my $write or return tell_line("failed $id pipe " . ($! + 0));
  my $pid = fork;
  return tell_line("failed $id fork " . ($! + 0)) unless defined $pid;
  become($write, $terminal, $program, $folder, \\@argv, \\@rest) unless $pid;
  close $write;
  $starting{fileno $read} = { id => $id, pid => $pid, read => $read };
  vec($wanted, fileno $read, 1) = 1;
}
sub started {
  my $fd = shift;
  my $start = delete $starting{$fd};
  vec($wanted, $fd, 1) = 0;
  sysread $start->{read}, my $report, 100;
  close $start->{read};
  if (length $report) { waitpid $start->{pid}, 0; return tell_line("failed $start->{id} $report") }
  tell_line("started $start->{id} $start->{pid}");
  my $pidfd = syscall 434, $start->{pid}, 0;
  if ($pidfd < 0) { $unwatched{$start->{pid}} = 1; return }
  $leader{$pidfd} = $start->{pid};
  vec($wanted, $pidfd, 1) = 1;
}
while (1) {
  my $ready = $wanted;
  my $count = select $ready, undef, undef, %unwatched ? 0.05 : undef;
  $ready = "" if $count < 1;
  my @running = grep { vec $ready, $_, 1 } keys %starting;
  my @ended = grep { vec $ready, $_, 1 } keys %leader;
  started($_) for @running;
  for my $pidfd (@ended) {
    my $pid = delete $leader{$pidfd};
    vec($wanted, $pidfd, 1) = 0;
    POSIX::close($pidfd);
    waitpid $pid, 0; tell_line("exit $pid $?");
  }
  for my $pid (keys %unwatched) {
    waitpid($pid, POSIX::WNOHANG()) or next;
    delete $unwatched{$pid}; tell_line("exit $pid $?");
  }
  next unless vec $ready, 0, 1;
  sysread STDIN, $input, 65536, length $input or exit 0;
  while (length $input >= 4) {
    my $length = unpack "N", $input;
    last if length $input < 4 + $length;
    my ($kind, @request) = split /\\0/, substr($input, 4, $length), -1;
    substr $input, 0, 4 + $length, "";
    $kind eq "start" ? start(@request) : line_mode(@request);
  }
}
`;
