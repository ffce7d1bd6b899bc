import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '@stratalog/json';
import type { ServedCatalog } from '../testing/catalog/booted-catalog';

/** What an assistant reads in an answer of a tool. */
export interface ToolAnswer {
  readonly isError: boolean;
  /** The whole text. */
  readonly text: string;
  /** What stands between the marks; none in an error. */
  readonly data: JsonObject;
  /** The cursor of the rest. */
  readonly cursor: string | undefined;
}

const MARKED = /<catalog-data>\n(.*)\n<\/catalog-data>/s;
const CURSOR = /and the cursor ([\w-]+)$/;

/** An assistant: the official client of the protocol. */
export class Assistant {
  private constructor(readonly client: Client) {}

  static async connect(
    catalog: Pick<ServedCatalog, 'url'>,
    token?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Assistant> {
    const client = new Client({ name: 'suite', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', catalog.url), {
      requestInit: {
        headers: { ...headers, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
      },
    });
    await client.connect(transport);
    return new Assistant(client);
  }

  async tools(): Promise<readonly string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  async call(name: string, given: Readonly<Record<string, unknown>> = {}): Promise<ToolAnswer> {
    const { content, isError = false } = await this.client.callTool({ name, arguments: { ...given } });
    const [{ text } = { text: '' }] = content as readonly { readonly text: string }[];
    const found = MARKED.exec(text)?.[1];
    const data: JsonValue = found === undefined ? {} : parseJson(found);
    return {
      isError: isError === true,
      text,
      data: isJsonObject(data) ? data : {},
      cursor: CURSOR.exec(text)?.[1],
    };
  }

  /** Calls a tool until its answer says that there is no more, and returns the elements of all answers. */
  async callToEnd(
    name: string,
    list: string,
    given: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly answers: readonly ToolAnswer[]; readonly elements: readonly JsonObject[] }> {
    const answers: ToolAnswer[] = [];
    let cursor: string | undefined;
    do {
      const answer = await this.call(name, { ...given, ...(cursor === undefined ? {} : { cursor }) });
      if (answer.isError) throw new Error(answer.text);
      answers.push(answer);
      ({ cursor } = answer);
    } while (cursor !== undefined);
    return { answers, elements: answers.flatMap(({ data }) => data[list] as JsonObject[]) };
  }

  end(): Promise<void> {
    return this.client.close();
  }
}
