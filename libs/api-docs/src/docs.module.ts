import { Module, type DynamicModule } from '@nestjs/common';
import { documentedRoutes } from '@stratalog/http';
import type { Stage } from '@stratalog/ports';
import { API_CONTROLLERS } from './api-controllers';
import { DOCS_LIBRARY, DocsController } from './docs.controller';
import { DocsLibrary } from './docs-library';
import type { DocsParts } from './docs-parts';

/** Mounts the pages and the OpenAPI document. */
@Module({})
export class DocsModule {
  static over(parts: Omit<DocsParts, 'routes'>): DynamicModule {
    const library = new DocsLibrary({ ...parts, routes: documentedRoutes(API_CONTROLLERS) });
    return {
      module: DocsModule,
      controllers: [DocsController],
      providers: [{ provide: DOCS_LIBRARY, useValue: library }],
    };
  }
}

/** Documents the whole interface, also where other apps serve parts of it. */
export const docsStage: Stage<Omit<DocsParts, 'routes'>, DynamicModule> = {
  name: 'docs',
  open: ({ registry, about }) => ({ module: DocsModule.over({ registry, about }), consumers: [] }),
};
