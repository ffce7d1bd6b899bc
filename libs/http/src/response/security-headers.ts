/**
 * On every answer: a browser takes no answer for anything but what its content type says, and lets none load or be framed by anything.
 * Pages of ours name what they need themselves.
 */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
