/**
 * What providers say of a prompt that is longer than their model takes: OpenAI and Azure, Anthropic, Google, Mistral,
 * Bedrock, and servers of the OpenAI protocol (vLLM, llama.cpp, Ollama, LM Studio, TGI, OpenRouter, Groq, xAI).
 */
const wordings =
  /context_length_exceeded|exceed_context_size|context[ _-]?(length|window|size|limit) (is )?exceeded|exceed\w*( the| its)?( \w+){0,3} context[ _-]?(length|window|size|limit)|(maximum|max) (context|prompt|model) length|(prompt|input|request) (is )?too long|too large for model|input token count.{0,40}exceeds|exceeds the maximum number of (input )?tokens|model'?s context length is|greater than the context length|context length of only|must be <= \d+\. given|reduce the length of (the|your) (messages|prompt|input)|too many (input |total )?tokens/i;

/** Where providers name the limit, the least ambiguous wording first. */
const limits = [
  /"n_ctx"\s*:\s*(\d+)/i,
  /(?:context|prompt|model) length (?:is|of)(?: only)? (\d+)/i,
  /> (\d+) maximum/i,
  /maximum number of (?:input )?tokens allowed \((\d+)\)/i,
  /with (\d+) maximum context length/i,
  /context limit: \d+ \+ \d+ > (\d+)/i,
  /available context size \((\d+)/i,
  /must be <= (\d+)/i,
];

/** How many tokens the model takes, as the provider says it; undefined where it only says that it were too many. */
export interface ContextOverflow {
  readonly tokens: number | undefined;
}

/** Reads a provider's error: null when it is about something else. */
export function contextOverflow(text: string): ContextOverflow | null {
  if (!wordings.test(text)) return null;
  for (const limit of limits) {
    const [, tokens] = limit.exec(text) ?? [];
    if (tokens !== undefined) return { tokens: Number(tokens) };
  }
  return { tokens: undefined };
}
