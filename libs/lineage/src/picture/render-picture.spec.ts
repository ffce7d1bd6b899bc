import { describe, expect, it } from '@jest/globals';
import { labelColumn, labelEntity } from './label-entity';
import type { EntityLabel, PictureNode } from './picture';
import type { PlacedPicture } from './place-picture';
import { escapeXml, renderSvg } from './render-svg';
import { renderDot, renderMermaid } from './render-text';
import { sizeBox } from './size-boxes';

const NONE = { count: 0, isExact: true };
const node = (urn: string, more: Partial<PictureNode> = {}): PictureNode => ({
  urn,
  degree: 0,
  columns: [],
  moreColumns: 0,
  moreUpstream: NONE,
  moreDownstream: NONE,
  ...more,
});
const HOSTILE = `</text><script>alert("1")</script>&amp;'\u0000\u0007\ud800]]>"]; x --> y %% \\`;

describe('labelEntity', () => {
  it.each([
    [
      'urn:li:dataset:(urn:li:dataPlatform:hive,db.t,PROD)',
      { entityType: 'dataset', platform: 'hive', name: 'db.t' },
    ],
    ['urn:li:chart:(looker,sales)', { entityType: 'chart', platform: 'looker', name: 'sales' }],
    [
      'urn:li:dataJob:(urn:li:dataFlow:(airflow,f,prod),j)',
      { entityType: 'dataJob', platform: 'airflow', name: 'j' },
    ],
    ['urn:li:dataProcessInstance:run-1', { entityType: 'dataProcessInstance', name: 'run-1' }],
    ['no urn', { entityType: '', name: 'no urn' }],
  ])('reads %s', (urn, expected) => {
    expect(labelEntity(urn)).toEqual(expected);
  });

  it('leaves the types out of the path of a column', () => {
    const urn = (path: string): string =>
      `urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive,t,PROD),${path})`;
    expect(labelColumn(urn('[version=2.0].[type=struct].address.[type=string].zip'))).toBe('address.zip');
    expect(labelColumn(urn('Time %28s%29%2c all'))).toBe('Time (s), all');
  });
});

describe('renderSvg', () => {
  const draw = (name: string, urn: string): string => {
    const box = sizeBox(node(urn), { entityType: name, platform: name, name });
    const placed: PlacedPicture = { boxes: [{ ...box, x: 0, y: 0 }], lines: [], width: 100, height: 100 };
    return renderSvg(placed);
  };

  it('escapes every text', () => {
    const svg = draw(HOSTILE, `urn:li:dataset:${HOSTILE}`);
    const plain = draw('a', 'urn:li:dataset:a');
    const tags = (text: string): readonly string[] => text.match(/<\/?[a-z]+/gi) ?? [];
    expect(tags(svg)).toEqual(tags(plain));
    expect(svg.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}]/u);
  });

  it('replaces what XML cannot hold, and keeps other scripts', () => {
    expect(escapeXml('a\u0000\ud800b 表 😀 <&>"\'')).toBe('a\ufffd\ufffdb 表 😀 &#60;&#38;&#62;&#34;&#39;');
  });

  it('links each box to its entity, and fits the window so that the asked entity is in view', () => {
    const svg = draw('a', "urn:li:dataset:(urn:li:dataPlatform:hive,a'b,PROD)");
    expect(svg).toContain(
      '<a href="../entitiesV2/urn%3Ali%3Adataset%3A(urn%3Ali%3AdataPlatform%3Ahive%2Ca%27b%2CPROD)"><g',
    );
    expect(svg).toContain('svg:root { background: #ffffff; max-width: 100vw; max-height: 100vh; }');
  });

  it('marks the asked entity, and names what is not shown', () => {
    const more = { count: 12, isExact: true };
    const box = sizeBox(
      node('urn:li:dataset:a', { moreDownstream: more, moreUpstream: { count: 200, isExact: false } }),
      {
        entityType: 'dataset',
        name: 'a',
      },
    );
    const other = sizeBox(node('urn:li:dataset:b', { degree: 1 }), { entityType: 'dataset', name: 'b' });
    const svg = renderSvg({
      boxes: [
        { ...box, x: 0, y: 0 },
        { ...other, x: 300, y: 0 },
      ],
      lines: [],
      width: 600,
      height: 100,
    });
    expect(svg.match(/class="root"/g)).toHaveLength(1);
    expect(svg).toContain('+12 more downstream');
    expect(svg).toContain('+200 or more upstream');
  });
});

describe('renderMermaid and renderDot', () => {
  const labels = (urn: string): EntityLabel => ({ entityType: 'dataset', platform: 'hive', name: urn });
  const [a, b] = ['urn:li:dataset:a', 'urn:li:dataset:b'] as const;
  const picture = {
    nodes: [node(a), node(b, { degree: 1, moreDownstream: { count: 3, isExact: true } })],
    edges: [{ from: a, to: b, fromColumn: `urn:li:schemaField:(${a},x)` }],
  };

  it('draw boxes with labels, and edges with their columns', () => {
    expect(renderMermaid(picture, labels).split('\n')).toEqual([
      'flowchart LR',
      '  n0["hive · dataset<br/>urn:li:dataset:a"]',
      '  n1["hive · dataset<br/>urn:li:dataset:b<br/>+3 more downstream"]',
      '  n0 -->|"x → *"| n1',
      expect.stringMatching(/^ {2}style n0 stroke:#[0-9a-f]{6},stroke-width:4px$/),
      expect.stringMatching(/^ {2}style n1 stroke:#[0-9a-f]{6},stroke-width:2px$/),
      '',
    ]);
    expect(renderDot(picture, labels)).toContain(`"${a}" -> "${b}" [label="x → *"];`);
  });

  it('escape every text', () => {
    const hostile = `urn:li:dataset:${HOSTILE}\n`;
    const drawn = { nodes: [node(hostile)], edges: [] };
    const mermaid = renderMermaid(drawn, labels).split('\n');
    expect(mermaid).toHaveLength(4);
    expect(mermaid[1]?.slice(6, -2).replaceAll('<br/>', '')).not.toMatch(/["<>[\]`\\]/);
    const dot = renderDot(drawn, labels).split('\n');
    expect(dot).toHaveLength(5);
    expect((dot[2] ?? '').replace(/\\./g, '').match(/"/g)).toHaveLength(6);
  });
});
