import { Module, type DynamicModule } from '@nestjs/common';
import type { SchemaStore, Stage } from '@stratalog/ports';
import { API_ROUTES } from './api-routes';
import { DocsController } from './docs.controller';
import { DocsLibrary } from './docs-library';
import { WebController } from './web/web.controller';
import { WebFiles } from './web/web-files';
import { WEB_FOLDER } from './web-folder';
import type { DocsDeps } from './docs-deps';

/** Mounts the web pages, the pages of the documentation, and the OpenAPI document. */
@Module({})
export class DocsModule {
  static over(deps: DocsDeps): DynamicModule {
    return {
      module: DocsModule,
      controllers: [DocsController, WebController],
      providers: [
        { provide: DocsLibrary, useValue: new DocsLibrary(deps) },
        { provide: WebFiles, useValue: new WebFiles(WEB_FOLDER) },
      ],
    };
  }
}

interface StageDeps extends Omit<DocsDeps, 'routes'> {
  /** Absent when an external registry keeps the schemas: then no app serves them. */
  readonly schemas?: SchemaStore;
}

/** Documents the whole interface, also where other apps serve parts of it. */
export const docsStage: Stage<StageDeps, DynamicModule> = {
  name: 'docs',
  open: ({ registry, about, schemas }) => {
    const routes = API_ROUTES.filter(({ dialect }) => dialect !== 'schema-registry' || schemas !== undefined);
    return { module: DocsModule.over({ registry, about, routes }), consumers: [] };
  },
};
