// The four wire formats that coding agents speak to models: Anthropic messages, OpenAI responses and chat, Gemini. Reads what
// was asked and speaks an answer. Always true: text is what the person wrote, without what the agent wraps around it.
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

type Format = 'messages' | 'responses' | 'chat' | 'gemini';
// biome-ignore lint/suspicious/noExplicitAny: bodies of foreign programs, read field by field
type Loose = any;

export interface Ask {
  readonly format: Format;
  /** The last message of the person. */
  readonly text: string;
  /** The last thing said is a tool's result. */
  readonly afterTool: boolean;
  /** The agent's shell tool, or undefined when it offers none. */
  readonly tool: string | undefined;
  readonly stream: boolean;
  readonly model: string;
  /** JSON schema that the answer must follow, as text. */
  readonly schema: string;
}

export interface Speaker {
  word(text: string): void;
  end(text: string): void;
  whole(text: string): void;
  tool(name: string, command: string): void;
}

const SHELL_TOOLS = [
  'Bash',
  'exec_command',
  'shell_command',
  'shell',
  'local_shell',
  'run_shell_command',
  'bash',
  'exec',
];
/** Blocks that agents add to a message of the person. */
const ADDED =
  /<(system-reminder|environment_context|session_context|user_instructions|INSTRUCTIONS|local-command[^>]*|permissions[^>]*)[\s\S]*?<\/\1>/g;
/** Claude Code 2.1.332 marks what was pasted, so that the model can tell it from what was typed. */
const PASTED = /^<pasted_content id="(\w+)">\n([\s\S]*)\n<\/pasted_content id="\1">$/;
const INTERRUPTED = /^\[Request interrupted by user[^\]]*\]\s*/;
/** Messages in the person's name that no person wrote. */
const NOT_A_PERSON =
  /^\s*(<(environment_context|user_instructions|permissions|turn_aborted|skills|session_context)|# AGENTS)/;

function parts(content: Loose): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.map((part) => (typeof part === 'string' ? part : (part.text ?? '')));
}

/** The last message that a person wrote. */
function lastText(messages: readonly Loose[]): string {
  const texts = messages
    .map(({ content, parts: own }) =>
      parts(content ?? own)
        .map((part) => part.replace(ADDED, '').replace(INTERRUPTED, ''))
        .filter((part) => part.trim() !== '' && !NOT_A_PERSON.test(part))
        .join('\n'),
    )
    .filter((text) => text.trim() !== '');
  const last = (texts.at(-1) ?? '').trim();
  return PASTED.exec(last)?.[2] ?? last;
}

const shellTool = (names: readonly string[]) => SHELL_TOOLS.find((name) => names.includes(name));

/** What a request asks for, or undefined when the path is none of the four. */
export function readAsk(path: string, body: Record<string, Loose>): Ask | undefined {
  const base = { stream: body.stream === true, model: String(body.model ?? 'mock'), schema: '' };
  if (path.endsWith('/messages')) {
    const messages: Loose[] = body.messages ?? [];
    const isResult = (message: Loose) =>
      Array.isArray(message?.content) && message.content.some((part: Loose) => part.type === 'tool_result');
    const asked = messages.filter((message) => message.role === 'user');
    const tool = shellTool((body.tools ?? []).map((each: Loose) => each.name));
    // After a refused tool its result and the next message of the person come together.
    const last = messages.at(-1);
    const afterTool = isResult(last) && lastText([last]) === '';
    return { ...base, format: 'messages', text: lastText(asked), afterTool, tool };
  }
  if (path.endsWith('/responses')) {
    const input: Loose[] = Array.isArray(body.input) ? body.input : [{ role: 'user', content: body.input }];
    const last = input.findLastIndex((item) => item.role === 'user');
    const afterTool = input.slice(last + 1).some((item) => /_call_output$/.test(item.type ?? ''));
    const tool = shellTool((body.tools ?? []).map((each: Loose) => each.name ?? each.type));
    const text = lastText(input.filter((item) => item.role === 'user'));
    return { ...base, stream: true, format: 'responses', text, afterTool, tool };
  }
  if (path.endsWith('/chat/completions')) {
    const messages: Loose[] = body.messages ?? [];
    const last = messages.findLastIndex((message) => message.role === 'user');
    const afterTool = messages.slice(last + 1).some((message) => message.role === 'tool');
    const tool = shellTool((body.tools ?? []).map((each: Loose) => each.function?.name));
    const text = lastText(messages.filter((message) => message.role === 'user'));
    return { ...base, format: 'chat', text, afterTool, tool };
  }
  if (/:(stream)?[gG]enerateContent$/.test(path)) {
    // Messages one after the other may come as parts of one, a tool's result among them.
    const said: Loose[] = (body.contents ?? [])
      .filter((content: Loose) => content.role === 'user')
      .flatMap((content: Loose) => content.parts ?? []);
    const isResult = (part: Loose) => part?.functionResponse !== undefined;
    const names = (body.tools ?? []).flatMap((each: Loose) =>
      (each.functionDeclarations ?? []).map((declared: Loose) => declared.name),
    );
    const asked = said.filter((part) => !isResult(part)).map((part) => ({ parts: [part] }));
    const { responseJsonSchema, responseSchema } = body.generationConfig ?? {};
    return {
      ...base,
      format: 'gemini',
      text: lastText(asked),
      afterTool: isResult(said.at(-1)),
      tool: shellTool(names),
      stream: path.includes(':stream'),
      schema: JSON.stringify(responseJsonSchema ?? responseSchema ?? {}),
    };
  }
  return undefined;
}

const id = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`;

class Stream {
  constructor(readonly response: ServerResponse) {}

  event(name: string | undefined, data: object | string): void {
    if (!this.response.headersSent) this.response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (this.response.destroyed) return;
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    this.response.write(`${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`);
  }

  /** An event whose name is also its type. */
  typed(type: string, data: object): void {
    this.event(type, { type, ...data });
  }

  json(value: object): void {
    this.response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  }

  end(): void {
    this.response.end();
  }
}

function messagesSpeaker(ask: Ask, stream: Stream): Speaker {
  const usage = { input_tokens: 100, output_tokens: 30 };
  const message = { id: id('msg'), type: 'message', role: 'assistant', model: ask.model, usage };
  const open = { ...message, content: [], stop_reason: null, stop_sequence: null };
  const block = (content: object) => {
    stream.typed('message_start', { message: open });
    stream.typed('content_block_start', { index: 0, content_block: content });
  };
  const close = (reason: string) => {
    stream.typed('content_block_stop', { index: 0 });
    stream.typed('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage });
    stream.typed('message_stop', {});
    stream.end();
  };
  let begun = false;
  return {
    word(text) {
      if (!begun) block({ type: 'text', text: '' });
      begun = true;
      stream.typed('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });
    },
    end: () => close('end_turn'),
    whole: (text) => stream.json({ ...open, content: [{ type: 'text', text }], stop_reason: 'end_turn' }),
    tool(name, command) {
      block({ type: 'tool_use', id: id('toolu'), name, input: {} });
      const partial_json = JSON.stringify({ command, description: 'A command of the mock model' });
      stream.typed('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json } });
      close('tool_use');
    },
  };
}

function responsesSpeaker(stream: Stream): Speaker {
  const response = { id: id('resp'), object: 'response' };
  const item = { type: 'message', id: id('item'), role: 'assistant' };
  const begin = (value: object) => {
    stream.typed('response.created', { response: { ...response, status: 'in_progress', output: [] } });
    stream.typed('response.output_item.added', { output_index: 0, item: value });
  };
  const close = (value: object) => {
    stream.typed('response.output_item.done', { output_index: 0, item: value });
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 30,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 130,
    };
    stream.typed('response.completed', {
      response: { ...response, status: 'completed', output: [value], usage },
    });
    stream.end();
  };
  const done = (text: string) => ({
    ...item,
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  });
  let begun = false;
  return {
    word(delta) {
      if (!begun) begin({ ...item, status: 'in_progress', content: [] });
      begun = true;
      stream.typed('response.output_text.delta', {
        item_id: item.id,
        output_index: 0,
        content_index: 0,
        delta,
      });
    },
    end: (text) => close(done(text)),
    whole: (text) => close(done(text)),
    tool(name, command) {
      const call = { id: id('item'), call_id: id('call') };
      const outside = {
        cmd: command,
        yield_time_ms: 10_000,
        sandbox_permissions: 'require_escalated',
        justification: 'The mock model asks to run this outside the sandbox',
      };
      const value =
        name === 'exec'
          ? {
              type: 'custom_tool_call',
              ...call,
              name,
              input: `const r = await tools.exec_command(${JSON.stringify(outside)}); text(r.output ?? "");`,
            }
          : {
              type: 'function_call',
              ...call,
              name,
              arguments: JSON.stringify(name === 'exec_command' ? outside : { command }),
            };
      begin(value);
      close(value);
    },
  };
}

function chatSpeaker(ask: Ask, stream: Stream): Speaker {
  const base = { id: id('chat'), created: Math.floor(Date.now() / 1000), model: ask.model };
  const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
  const chunk = (delta: object, finish_reason: string | null = null) =>
    stream.event(undefined, {
      ...base,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason }],
    });
  const close = (reason: string) => {
    chunk({}, reason);
    stream.event(undefined, { ...base, object: 'chat.completion.chunk', choices: [], usage });
    stream.event(undefined, '[DONE]');
    stream.end();
  };
  return {
    word: (content) => chunk({ role: 'assistant', content }),
    end: () => close('stop'),
    whole(content) {
      const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' };
      stream.json({ ...base, object: 'chat.completion', choices: [choice], usage });
    },
    tool(name, command) {
      const args = JSON.stringify({ command, description: 'A command of the mock model' });
      const call = { index: 0, id: id('call'), type: 'function', function: { name, arguments: args } };
      chunk({ role: 'assistant', tool_calls: [call] });
      close('tool_calls');
    },
  };
}

function geminiSpeaker(ask: Ask, stream: Stream): Speaker {
  const made = (part: object, finishReason?: string) => ({
    candidates: [
      { content: { role: 'model', parts: [part] }, index: 0, ...(finishReason ? { finishReason } : {}) },
    ],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
    modelVersion: 'mock',
    responseId: id('r'),
  });
  /** Side questions want JSON of their own shape. */
  const structured = () => {
    if (ask.schema.includes('next_speaker')) return '{"reasoning":"done","next_speaker":"user"}';
    if (ask.schema.includes('model_choice')) return '{"reasoning":"x","model_choice":"flash"}';
    return '{"complexity_reasoning":"x","complexity_score":10}';
  };
  return {
    word: (text) => stream.event(undefined, made({ text })),
    end() {
      stream.event(undefined, made({ text: '' }, 'STOP'));
      stream.end();
    },
    whole: (text) => stream.json(made({ text: ask.schema === '{}' ? text : structured() }, 'STOP')),
    tool(name, command) {
      const args = { command, description: 'A command of the mock model', is_background: false };
      stream.event(undefined, made({ functionCall: { name, args, id: id('call') } }, 'STOP'));
      stream.end();
    },
  };
}

/** Speaks the answer to this request in its format. */
export function speakerOf(ask: Ask, response: ServerResponse): Speaker {
  const stream = new Stream(response);
  if (ask.format === 'messages') return messagesSpeaker(ask, stream);
  if (ask.format === 'responses') return responsesSpeaker(stream);
  return ask.format === 'chat' ? chatSpeaker(ask, stream) : geminiSpeaker(ask, stream);
}
