export { MCP_CONTROLLERS, mcpStage } from './mcp.module';
