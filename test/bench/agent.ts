// The lightest agent there is: it echoes what is typed, and begins and ends a turn at every Enter. A pack of its own names
// it, so that it is recognised, read and settled like a real one.

/** Argument: the state that it reports at its start. */
export const AGENT_SCRIPT = `
system 'stty raw -echo';
$| = 1;
my $report = sub { "\\e]7501;state=$_[0]\\a" };
print "\\e[?2004h", $report->($ARGV[0]), 'ready';
while (sysread STDIN, my $bytes, 65536) {
  $bytes =~ s/\\e\\[20[01]~//g;
  $bytes =~ s/\\r/"\\r\\n" . $report->('working') . $report->('idle')/ge;
  print $bytes;
}
`;

export const AGENT_PACK = {
  name: 'bench',
  title: 'The agent of the bench',
  kind: 'agent',
  apps: [],
  process: { names: [], any: true },
  program_status: 'always',
  rules: [],
  hooks: [],
  interrupt: { keys: [] },
  command_prefixes: [],
  rows: [],
  paste_labels: [],
  dialogs: [],
  settle: { quiet_ms: 50, min_ms: 50, max_ms: 5_000 },
  ready_ms: 60_000,
  launch: { env: {}, args: [], files: [] },
} as const;
