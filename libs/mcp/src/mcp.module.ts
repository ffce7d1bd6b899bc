import { Module, type DynamicModule, type Type } from '@nestjs/common';
import type { Stage } from '@stratalog/ports';
import { MCP_DEPS, McpController, type McpDeps } from './mcp.controller';

export const MCP_CONTROLLERS: readonly Type[] = [McpController];

/** Mounts the server of the Model Context Protocol. */
@Module({})
export class McpModule {
  static over(deps: McpDeps): DynamicModule {
    return {
      module: McpModule,
      controllers: [...MCP_CONTROLLERS],
      providers: [{ provide: MCP_DEPS, useValue: deps }],
    };
  }
}

/** Serves AI assistants by calls of the catalog's own routes. */
export const mcpStage: Stage<McpDeps, DynamicModule> = {
  name: 'mcp',
  open: (deps) => ({ module: McpModule.over(deps), consumers: [] }),
};
