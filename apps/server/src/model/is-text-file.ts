/** Types of text beside `text/*`: those of the data formats that are, and what is written in one of them. */
const textType =
  /^(?:text\/.|application\/(?:json|jsonl|x-ndjson|xml|yaml|x-yaml|toml|sql|javascript|x-sh)$|[\w.-]+\/[\w.-]+\+(?:json|xml|yaml)$)/;

/** Whether a file is read as text, by the type that it is said to have. */
export const isTextFile = (mediaType: string): boolean =>
  textType.test(mediaType.replace(/;.*$/s, '').trim().toLowerCase());
