import { describe, expect, test } from '@jest/globals';
import { buildJsonSchema } from './build-json-schema';
import { library, modelOf } from '../testing/model-of';

describe('buildJsonSchema', () => {
  test('describes all forms of the canonical values of an aspect, each type once', async () => {
    const aspect = (await modelOf([library])).aspect('bookInfo');
    if (aspect === undefined) throw new Error('the aspect is there');
    const schema = buildJsonSchema(aspect);

    expect(schema).toMatchObject({
      title: 'bookInfo',
      $ref: '#/$defs/com.linkedin.book.BookInfo',
      $defs: {
        'com.linkedin.book.BookInfo': {
          type: 'object',
          required: ['title'],
          properties: {
            isbn: { type: 'integer', format: 'int64' },
            home: { type: 'string', pattern: '^urn:[^:]+:(?:shelf):' },
            author: { pattern: '^urn:[^:]+:[^:]+:' },
            binding: { $ref: '#/$defs/com.linkedin.key.Binding' },
            tags: { type: 'array', items: { type: 'string' }, default: [] },
            properties: { type: 'object', additionalProperties: { type: 'string' } },
            rating: {
              oneOf: [{ type: 'null' }, { required: ['double'], properties: { double: { type: 'number' } } }],
            },
          },
        },
        'com.linkedin.key.Binding': { enum: ['HARD', 'SOFT'] },
        'com.linkedin.book.Checksum': { type: 'string', minLength: 4, maxLength: 4 },
        'com.linkedin.book.Chapter': {
          properties: { sections: { items: { $ref: '#/$defs/com.linkedin.book.Chapter' } } },
        },
      },
    });
  });
});
