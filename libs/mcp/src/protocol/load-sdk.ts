/** The parts of the SDK that the server needs; see {@link loadSdk}. */
export type Sdk = Awaited<ReturnType<typeof load>>;

let loading: Promise<Sdk> | undefined;

/** Loads the SDK with the first message: most catalogs have no assistant, and the start of each would wait for it. */
export function loadSdk(): Promise<Sdk> {
  return (loading ??= load());
}

async function load() {
  const [{ McpServer }, { WebStandardStreamableHTTPServerTransport }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/mcp.js'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } = types;
  return {
    CallToolRequestSchema,
    ErrorCode,
    ListToolsRequestSchema,
    McpError,
    McpServer,
    Transport: WebStandardStreamableHTTPServerTransport,
  };
}
