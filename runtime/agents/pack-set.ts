// The packs in force, and how they are replaced. Always true: a reload is one step, a bad file refuses only itself, and who
// asks in between sees the old set or the new one.
import { autoPacks, builtinPackFolder, type LoadedPacks, loadPacks, type Pack } from './load.js';

export class PackSet {
  #loaded: LoadedPacks;
  #auto: readonly Pack[];

  /** `userFolder` may be missing. */
  constructor(readonly userFolder: string | undefined) {
    this.#loaded = this.#read();
    this.#auto = autoPacks(this.#loaded.packs);
  }

  get loaded(): LoadedPacks {
    return this.#loaded;
  }

  reload(): LoadedPacks {
    this.#loaded = this.#read();
    this.#auto = autoPacks(this.#loaded.packs);
    return this.#loaded;
  }

  find(name: string): Pack | undefined {
    return this.#loaded.packs.find((pack) => pack.name === name);
  }

  /** Packs that may recognise a seat's agent: the named one alone, or for `auto` every pack that may. */
  candidates(name: string): readonly Pack[] {
    if (name === 'auto') return this.#auto;
    const named = this.find(name);
    return named ? [named] : [];
  }

  #read(): LoadedPacks {
    return loadPacks([builtinPackFolder(), ...(this.userFolder ? [this.userFolder] : [])]);
  }
}
