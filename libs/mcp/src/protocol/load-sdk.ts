/** The parts of the SDK that the server needs; see {@link loadSdk}. */
export type Sdk = Awaited<ReturnType<typeof load>>;

let loading: Promise<Sdk> | undefined;

/** Loads the SDK with the first message: most catalogs have no assistant, and the start of each would wait for it. */
export function loadSdk(): Promise<Sdk> {
  return (loading ??= load());
}

async function load() {
  // One after the other: the modules share parts, which jest cannot load twice at once.
  const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
  const { WebStandardStreamableHTTPServerTransport } =
    await import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js');
  const { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } =
    await import('@modelcontextprotocol/sdk/types.js');
  return {
    CallToolRequestSchema,
    ErrorCode,
    ListToolsRequestSchema,
    McpError,
    McpServer,
    Transport: WebStandardStreamableHTTPServerTransport,
  };
}
