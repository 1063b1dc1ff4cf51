/** The module that a hook imports for its store. Here are its types; hookbox has the module itself. */
declare module "hookbox:store" {
  /** What a key can hold. Text is stored as UTF-8. */
  export type Value = string | Uint8Array;

  /**
   * Values by key that outlive the call. Needs the grant `store`, in which the operator chooses who shares the values (a
   * session, a project, the user, all machines), how much fits in, and how long a value lives.
   *
   * ```js
   * import { store } from "hookbox:store";
   *
   * export default function () {
   *   const calls = store.increment("calls");
   *   return calls > 100 ? { decision: "deny", reason: "this session has used its 100 calls" } : {};
   * }
   * ```
   *
   * What cannot be read or stored is thrown, never an empty store: let it be thrown, and the engine denies. The store is there
   * when the hook is called, not while its file is loaded. A key has at most 1 KiB, a value 64 KiB, a list 256 keys, a store
   * 10,000 keys.
   */
  export interface Store {
    /** The value of a key, if it has one. */
    get(key: string): Uint8Array | undefined;
    /** The value of a key as text. Throws if it is not UTF-8. */
    getText(key: string): string | undefined;
    /** Sets the value of a key. */
    set(key: string, value: Value): void;
    /** Deletes a key, which may be absent. */
    delete(key: string): void;
    /** Whether a key has a value. */
    exists(key: string): boolean;
    /** All keys, sorted by their bytes. */
    keys(): string[];
    /**
     * Adds a whole number, 1 unless it is given, and returns the sum. An absent key counts as 0. No increment is lost, however
     * many calls add to the same key at once.
     */
    increment(key: string, delta?: number): number;
    /**
     * Replaces the value of a key by what `change` makes of it, and returns the new value. If another call was faster, `change`
     * is called again with the value that this one stored; after 100 times, this throws. If `change` throws, nothing is stored.
     */
    update(key: string, change: (value: Uint8Array | undefined) => Value): Uint8Array;
    /** The same for text. */
    updateText(key: string, change: (value: string | undefined) => Value): string;
    /** The values of keys, in the same order. */
    getMany(keys: readonly string[]): (Uint8Array | undefined)[];
    /** Sets the values of keys, all or none. */
    setMany(entries: readonly (readonly [key: string, value: Value])[]): void;
    /** Deletes keys, all or none. They may be absent. */
    deleteMany(keys: readonly string[]): void;
  }

  /** The store that the operator granted. */
  export const store: Store;
}
