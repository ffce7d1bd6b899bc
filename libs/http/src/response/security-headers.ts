/**
 * Headers of every answer. A browser must treat the answer as its content type says, and must not let it load
 * anything, be framed, or be shown in a page of another site: the size of a picture tells such a page what the catalog
 * holds. The catalog's own pages name the resources that they need.
 */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
