// Kitty keyboard flags (sw.kovidgoyal.net/kitty/keyboard-protocol, "Progressive enhancement"): one stack for each
// screen. Always true: at most DEPTH entries, five bits each. It knows nothing of keys.

/** The protocol asks for a bound; an entry pushed beyond it evicts the oldest. */
const DEPTH = 16;
const FLAG_BITS = 0x1f;

export class KittyKeyboard {
  readonly #stacks: Record<'main' | 'alternate', number[]> = { main: [], alternate: [] };

  flags(screen: 'main' | 'alternate'): number {
    return this.#stacks[screen].at(-1) ?? 0;
  }

  /** The pushes that make this screen's stack on a terminal without one. */
  pushes(screen: 'main' | 'alternate'): string {
    return this.#stacks[screen].map((flags) => `\x1b[>${flags}u`).join('');
  }

  /** `CSI > flags u` */
  push(screen: 'main' | 'alternate', flags: number): void {
    const stack = this.#stacks[screen];
    stack.push(flags & FLAG_BITS);
    if (stack.length > DEPTH) stack.shift();
  }

  /** `CSI < count u`; a pop beyond the bottom clears. */
  pop(screen: 'main' | 'alternate', count: number): void {
    const stack = this.#stacks[screen];
    stack.length = Math.max(0, stack.length - Math.max(1, count));
  }

  /** `CSI = flags ; how u`: 1 assigns, 2 sets bits, 3 clears bits; anything else is ignored. */
  set(screen: 'main' | 'alternate', flags: number, how: number): void {
    const stack = this.#stacks[screen];
    const old = stack.at(-1) ?? 0;
    const bits = flags & FLAG_BITS;
    const next = how === 1 ? bits : how === 2 ? old | bits : how === 3 ? old & ~bits : undefined;
    if (next === undefined) return;
    if (stack.length === 0) stack.push(next);
    else stack[stack.length - 1] = next;
  }

  reset(): void {
    this.#stacks.main = [];
    this.#stacks.alternate = [];
  }
}
