/** Unix milliseconds, of the one clock that everything in a store is compared with. */
export type Clock = () => number;
