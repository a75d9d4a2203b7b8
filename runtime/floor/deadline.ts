// A heap of instants: the earliest deadline first. Always true: adding, moving and removing cost O(log n), reading the
// earliest costs O(1). It knows no clock and no requests.

export interface Timed {
  /** When it is due, in milliseconds of the session's clock. */
  dueAt: number;
  /** Its place in the heap, or -1 outside; kept by the heap alone. */
  heapIndex: number;
}

export class DeadlineHeap<T extends Timed> {
  readonly #items: T[] = [];

  get size(): number {
    return this.#items.length;
  }

  get earliest(): T | undefined {
    return this.#items[0];
  }

  add(item: T): void {
    item.heapIndex = this.#items.length;
    this.#items.push(item);
    this.#up(item);
  }

  remove(item: T): void {
    const index = item.heapIndex;
    if (this.#items[index] !== item) return;
    const last = this.#items.pop() as T;
    item.heapIndex = -1;
    if (last === item) return;
    this.#put(last, index);
    this.#down(last);
    this.#up(last);
  }

  /** Gives an item of the heap another instant. */
  move(item: T, dueAt: number): void {
    item.dueAt = dueAt;
    this.#down(item);
    this.#up(item);
  }

  #put(item: T, index: number): void {
    this.#items[index] = item;
    item.heapIndex = index;
  }

  #up(item: T): void {
    while (item.heapIndex > 0) {
      const parentIndex = (item.heapIndex - 1) >> 1;
      const parent = this.#items[parentIndex] as T;
      if (parent.dueAt <= item.dueAt) return;
      this.#put(parent, item.heapIndex);
      this.#put(item, parentIndex);
    }
  }

  #down(item: T): void {
    for (;;) {
      const left = item.heapIndex * 2 + 1;
      let child = this.#items[left];
      const right = this.#items[left + 1];
      if (child === undefined) return;
      if (right !== undefined && right.dueAt < child.dueAt) child = right;
      if (child.dueAt >= item.dueAt) return;
      const childIndex = child.heapIndex;
      this.#put(child, item.heapIndex);
      this.#put(item, childIndex);
    }
  }
}
