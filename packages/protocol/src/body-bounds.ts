import {
  maxBodyBytes,
  maxChatBytes,
  maxChatValues,
  maxJsonValues,
  maxMessagesBytes,
  maxSettingsBytes,
  maxSettingsValues,
} from './bounds.ts';

/** The bounds of a route's JSON body. Its depth and the content of its files have one bound for all routes. */
export interface BodyBounds {
  /** Bytes of JSON, the content of file parts not counted. */
  readonly jsonBytes: number;
  /** Values, objects and arrays included. */
  readonly values: number;
  /** Whether it carries a message, whose file parts may bring their content. */
  readonly message: boolean;
  /** Bytes of `messages`, of which the last alone is read; 0: the field is like any other. */
  readonly messagesBytes: number;
}

/** A turn of the Chat interface. */
export const chatBounds: BodyBounds = {
  jsonBytes: maxChatBytes,
  values: maxChatValues,
  message: true,
  messagesBytes: maxMessagesBytes,
};
/** A request that begins or continues a session. */
export const sessionBounds: BodyBounds = {
  jsonBytes: maxBodyBytes,
  values: maxJsonValues,
  message: true,
  messagesBytes: 0,
};
/** A comment of 20,000 characters, escaped as badly as JSON can. */
export const feedbackBounds: BodyBounds = {
  jsonBytes: maxBodyBytes,
  values: maxJsonValues,
  message: false,
  messagesBytes: 0,
};
/** A body that holds a token, or the id of a turn. */
export const smallBounds: BodyBounds = {
  jsonBytes: 64 * 1_024,
  values: maxJsonValues,
  message: false,
  messagesBytes: 0,
};
export const settingsBounds: BodyBounds = {
  jsonBytes: maxSettingsBytes,
  values: maxSettingsValues,
  message: false,
  messagesBytes: 0,
};
