/** The largest of everything that one request, one event or one model call may carry. Each is stated here once. */

/** Parts of one message. */
export const maxMessageParts = 32;
/** Answers to questions and approvals in one request. */
export const maxInputResponses = 32;
/** Characters of a file's name. */
export const maxFilenameLength = 255;
/** Characters of a media type (RFC 6838, section 4.2). */
export const maxMediaTypeLength = 127;
/** Characters of a file's address. */
export const maxAddressLength = 2_048;
/** Characters of an e-mail address (RFC 5321, section 4.5.3.1.3, without the brackets). */
export const maxMailAddressLength = 254;
/** Code points of `clientContext` and of all input responses of one request together. */
export const maxContextLength = 20_000;
/** Entries of a `clientContext` that is a list. */
export const maxContextEntries = 100;
/** Characters of an id that a request names: of a turn, a call, a request for input, a tenant's record. */
export const maxIdLength = 200;
/** Characters of a continuation token, and of a cursor. */
export const maxTokenLength = 500;
/** Messages of the list that a stock Chat client sends. */
export const maxMessages = 10_000;
/** Parts of one UI message: an assistant's has one for each step, text and call of its turn. */
export const maxUiMessageParts = 4_000;
/** Bytes of a JSON Schema or another JSON value that one field carries. */
export const maxFieldBytes = 64 * 1_024;
/** Bytes of the output of a call that a page has run, as JSON. */
export const maxPageOutputBytes = 128 * 1_024;
/** Levels of nesting in a JSON body. */
export const maxJsonDepth = 64;
/** Values of a JSON body, objects and arrays included. */
export const maxJsonValues = 20_000;
/** Bytes of an `Accept` header. */
export const maxAcceptLength = 1_024;
/** Characters of a `clientMessageId`. */
export const clientMessageIdLength = { min: 16, max: 64 } as const;
/** Characters of an `Idempotency-Key`. */
export const idempotencyKeyLength = { min: 16, max: 200 } as const;
/** Bytes of a JSON body without the `data:` content of its file parts. */
export const maxBodyBytes = 256 * 1_024;
/** Bytes of a Chat request beside the earlier ones of its messages: an answered one brings along what its tools gave. */
export const maxChatBytes = 1_024 * 1_024;
/** Values of the same. Each may be one more key of the same object, which costs most to read. */
export const maxChatValues = 40_000;
/** Bytes of a JSON body of the settings API: scripts are long. */
export const maxSettingsBytes = 1_024 * 1_024;
/** Values of a JSON body of the settings API: each step of a script is tried as every kind of step. */
export const maxSettingsValues = 10_000;
/** Bytes of the list of messages that a stock Chat client sends, without the `data:` content of its file parts. */
export const maxMessagesBytes = 2 * 1_024 * 1_024;
/** Bytes of the `data:` content of one request's file parts, as they are sent. */
export const maxInlineFileBytes = 16 * 1_024 * 1_024;
/** Bytes of a file that an agent is given to know. */
export const maxSourceFileBytes = 20 * 1_024 * 1_024;
/** Bytes of one event of the log, as JSON. */
export const maxEventBytes = 256 * 1_024;
/** Bytes of events that one page of the log holds at most, unless a single event is larger. */
export const maxPageBytes = 512 * 1_024;
/** Tool calls of one model step. */
export const maxCallsPerStep = 32;
/** Bytes, as JSON, of the arguments of all calls of one model step: an event may hold each of them twice. */
export const maxArgumentBytes = 120_000;
/** Bytes, as JSON, of what a model says in one step, and of what it thinks aloud. */
export const maxStepTextBytes = 200_000;
/** Bytes, as JSON, of one tool result in the log. */
export const maxOutputBytes = 200_000;
/** More events than any session has. */
export const maxEventIndex = 1_000_000_000;
/** Characters of what is said along with an approval that is handed on. */
export const maxDelegationLine = 300;

/**
 * Ratings that are taken, those that are taken back among them: each change is told to the tenant's servers. A person rates
 * and comments thirty answers in an hour; a whole company may be behind one address.
 */
export const ratingsPerHour = { session: 60, address: 600 };
