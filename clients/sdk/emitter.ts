// A typed emitter. Always true: listeners run in the order they were added; one that is removed while an event is being
// delivered gets that event no more; an error in a listener reaches the caller of `emit`. It keeps no events.

export type Unsubscribe = () => void;

export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<unknown>>();

  /** Calls the listener on every event of that name until the returned function is called. */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): Unsubscribe {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  /** The next event of that name. */
  once<Name extends keyof Events>(name: Name): Promise<Events[Name]> {
    return new Promise((resolve) => {
      const off = this.on(name, (event) => {
        off();
        resolve(event);
      });
    });
  }

  protected emit<Name extends keyof Events>(name: Name, event: Events[Name]): void {
    for (const listener of this.#listeners.get(name) ?? [])
      (listener as (event: Events[Name]) => void)(event);
  }
}
