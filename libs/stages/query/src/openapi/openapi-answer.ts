import { AUDIT_STAMP, JSON_OBJECT, SYSTEM_METADATA, flag } from '@stratalog/http';
import * as z from 'zod';

export const openApiEntityType = z.string().describe('Name of the entity type, in any case.');
export const systemMetadata = flag()
  .default(false)
  .describe('True adds `systemMetadata` and `auditStamp` to each aspect.');

/** An entity in the form of OpenAPI clients. */
export const OPENAPI_ENTITY = z.object({ urn: z.string() }).catchall(
  z
    .object({
      value: JSON_OBJECT.describe('The fields of the aspect; see the page of the aspect.'),
      systemMetadata: SYSTEM_METADATA.optional(),
      auditStamp: AUDIT_STAMP.optional().describe(
        'Time and actor of this version. Timeseries values have none.',
      ),
    })
    .describe('An aspect, under its name.'),
);
