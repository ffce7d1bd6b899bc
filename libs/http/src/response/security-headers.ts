/**
 * Headers of every answer. A browser must treat the answer as its content type says, and must not let it load
 * anything or be framed. The catalog's own pages name the resources that they need.
 */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
