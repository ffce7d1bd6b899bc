import { describe, expect, it } from '@jest/globals';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

describe('the default aspects of a new entity', () => {
  const catalog = catalogForSuite();
  const valueOf = async (urn: string, aspectName: string) => {
    const { json } = await catalog.http.entity(urn, `?aspects=List(${aspectName})`);
    return at(json, 'aspects', aspectName, 'value');
  };

  it('follow the delimiter of its platform', async () => {
    await catalog.http.write('urn:li:dataPlatform:s3', 'dataPlatformInfo', {
      name: 's3',
      type: 'OBJECT_STORE',
      datasetNameDelimiter: '/',
    });
    const urn = 'urn:li:dataset:(urn:li:dataPlatform:s3,Lake/v1.2/orders,PROD)';
    await catalog.http.write(urn, 'status', { removed: false });
    expect(await valueOf(urn, 'browsePaths')).toEqual({ paths: ['/prod/s3/lake/v1.2'] });
    expect(await valueOf(urn, 'browsePathsV2')).toEqual({ path: [{ id: 'lake' }, { id: 'v1.2' }] });
  });

  it('follow the parents of the container in its first proposal, and stay', async () => {
    const [database, schema, table] = [
      'urn:li:container:database',
      'urn:li:container:schema',
      'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.orders,PROD)',
    ];
    await catalog.http.write(schema, 'containerProperties', { name: 'public' });
    await catalog.http.write(schema, 'container', { container: database });
    await catalog.http.write(table, 'container', { container: schema });
    const path = [
      { id: database, urn: database },
      { id: schema, urn: schema },
    ];
    expect(await valueOf(table, 'browsePathsV2')).toEqual({ path });
    expect(await valueOf(schema, 'browsePathsV2')).toEqual({ path: [{ id: 'Default' }] });

    await catalog.http.write(table, 'container', { container: 'urn:li:container:other' });
    expect(await valueOf(table, 'browsePathsV2')).toEqual({ path });
  });
});
