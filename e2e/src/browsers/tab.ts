/** A key as a keyboard has it. */
export type Key = 'Enter' | 'Escape' | 'Tab' | 'Shift+Tab' | 'Space' | 'ArrowDown';

/** One window of a stock browser. Expressions are JavaScript of the page, or of the frame that was entered. */
export interface Tab {
  goto(address: string): Promise<void>;
  reload(): Promise<void>;
  /** The expression's value, which can be JSON; a promise is awaited. */
  evaluate(expression: string): Promise<unknown>;
  /** With the pointer, into the middle of the element that the expression gives. */
  click(element: string): Promise<void>;
  /** Gives a file field the files at these paths. */
  upload(field: string, ...paths: string[]): Promise<void>;
  type(text: string): Promise<void>;
  press(key: Key): Promise<void>;
  enterFrame(frame: string): Promise<void>;
  leaveFrame(): Promise<void>;
  /** A PNG of what is seen. */
  picture(): Promise<Buffer>;
  close(): Promise<void>;
}

/** How a browser is set up. */
export interface TabOptions {
  /** Firefox only: who may neither set cookies nor store anything, whatever is embedded or every page. */
  blockStorage?: 'embedded' | 'all';
}

/** A browser that is on this machine, started once for each worker. */
export interface StockBrowser {
  open(options: TabOptions): Promise<Tab>;
  close(): Promise<void>;
}
