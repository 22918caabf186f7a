export interface Passage {
  readonly key: number;
  readonly title: string;
  readonly text: string;
  readonly address: string | null;
  readonly language: string | null;
}
