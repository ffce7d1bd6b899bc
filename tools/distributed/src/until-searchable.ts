/** The catalog's own entry as a data platform: harmless, and the same at every start. */
const URN = 'urn:li:dataPlatform:stratalog';
const VALUE = { name: 'stratalog', displayName: 'Stratalog', type: 'OTHERS', datasetNameDelimiter: '.' };

/**
 * Writes one entity and searches for it, with the write's position, so that a write has passed every app once.
 *
 * **Errors**: rejects when the write or the search is not answered with 200.
 */
export async function untilSearchable(url: string, token: string): Promise<void> {
  const post = async (
    target: string,
    body: object,
    headers: Record<string, string> = {},
  ): Promise<Response> => {
    const answer = await fetch(url + target, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    if (answer.status !== 200)
      throw new Error(`${target} answers ${String(answer.status)}: ${await answer.text()}`);
    return answer;
  };
  const aspect = { value: JSON.stringify(VALUE), contentType: 'application/json' };
  const written = await post('/aspects?action=ingestProposal', {
    proposal: {
      entityType: 'dataPlatform',
      entityUrn: URN,
      changeType: 'UPSERT',
      aspectName: 'dataPlatformInfo',
      aspect,
    },
  });
  const position = written.headers.get('x-stratalog-position') ?? '';
  await post(
    '/entities?action=search',
    { input: 'stratalog', entity: 'dataPlatform', start: 0, count: 1 },
    { 'x-stratalog-wait-for': position },
  );
}
