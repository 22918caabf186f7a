/** A page of the documentation, before its frame is put around it. */
export interface Page {
  readonly slug: string;
  readonly title: string;
  /** Its first paragraph, as text. */
  readonly summary: string;
  readonly html: string;
  readonly sections: readonly Section[];
}

/** What stands under a heading. */
export interface Section {
  /** Empty: above the first heading. */
  readonly id: string;
  readonly heading: string;
  /** How it is listed beside the page, if not by its heading. */
  readonly label?: string;
  /** Whether it is listed beside the page. */
  readonly listed: boolean;
  /** For the search. */
  readonly text: string;
}
