import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { dump } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { readBlocks } from './block-reader.ts';
import { parseThoroughly } from './documents.ts';
import { parseDocuments } from './index.ts';

const charts = fileURLToPath(new URL('../../../../conformance/helm/testdata/charts', import.meta.url));

/** What js-yaml makes of the text, or that it refuses it. */
function thoroughly(text: string): unknown {
  try {
    return parseThoroughly(text, 'x', 'kubernetes');
  } catch {
    return 'refused';
  }
}

function sameOrLeft(text: string): void {
  const read = readBlocks(text, 'kubernetes')?.filter((document) => document !== null);
  if (read) expect({ text, read }).toEqual({ text, read: thoroughly(text) });
}

describe('the block reader', () => {
  it('reads nearly every values file and manifest of the charts here, each as js-yaml does', () => {
    const files = readdirSync(charts, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.ya?ml$/.test(file) && !file.includes('templates/'),
    );
    const texts = files.map((file) => readFileSync(join(charts, file), 'utf8'));
    for (const text of texts) sameOrLeft(text);
    const own = texts.filter((text) => readBlocks(text, 'kubernetes')).length;
    expect(own / texts.length).toBeGreaterThan(0.75);
  });

  it('reads what was written from any value, as js-yaml does', () => {
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        fc.string(),
        fc.constantFrom('yes', 'n', '0x10', '010', '1_000', '- a', 'a: b', '# c', ' x', 'x ', 'a\nb', 'a\n\n', '', '~'),
        fc.integer(),
        fc.double(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('node'), { maxLength: 4 }),
        fc.dictionary(fc.string({ maxLength: 6 }), tie('node'), { maxKeys: 4 }),
      ),
    })).node;
    const styles = fc.constantFrom({}, { flowLevel: 1 }, { lineWidth: 20 }, { indent: 4 }, { noArrayIndent: true });
    fc.assert(
      fc.property(value, styles, (written, style) => sameOrLeft(dump(written, style))),
      { numRuns: 500 },
    );
  });

  it('never reads broken text in a way of its own', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'b: ',
        'c:',
        '- ',
        '-',
        '\n',
        '\n  ',
        '\n    ',
        ' ',
        '"x"',
        "'y'",
        '"',
        "'",
        '|\n',
        '|-',
        '>',
        '[',
        ']',
        '{',
        '}',
      ],
      ...[
        ',',
        ': ',
        '#',
        ' # z',
        '---\n',
        '\n---\n',
        '&a ',
        '*a',
        '!t ',
        '? ',
        '1',
        'true',
        '~',
        '\t',
        '\u00a0',
        '\u3000',
        'é',
        '%',
        '\\n',
        '<<: ',
      ],
    );
    const texts = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        // Flow collections may close further out than js-yaml allows, as go-yaml has it.
        if (/[[{]/.test(text) && thoroughly(text) === 'refused') return;
        sameOrLeft(text);
      }),
      { numRuns: 3000 },
    );
  });

  it.each(['c:\t: ', 'a\t: b', 'a\u00a0: b', 'a: b\u00a0', 'a: [b\u3000]', '---\u2003\na: b'])(
    'leaves white space that is no space to js-yaml: %j',
    (text) => sameOrLeft(text),
  );

  it('lets a flow collection close at the indentation of its key, as go-yaml does', () => {
    expect(parseDocuments('a:\n  b: [\n    "x",\n  z\n  ]\n', 'x')).toEqual([{ a: { b: ['x', 'z'] } }]);
  });

  it('takes yes and no for booleans as Kubernetes does, and for text as Kustomize does', () => {
    expect(parseDocuments('a: [yes, n, true]', 'x')).toEqual([{ a: [true, false, true] }]);
    expect(parseDocuments('a: [yes, n, true]', 'x', { booleans: 'kustomize' })).toEqual([{ a: ['yes', 'n', true] }]);
  });

  it.each([
    ['a: |\n  x\n  y', 'x\ny'],
    ['a: |\n  x\n', 'x\n'],
    ['a: |+\n  x', 'x'],
    ['a: >-\n  x', 'x'],
    ['a: |2 # why\n   x', ' x'],
    ['a: b |\n  c', 'b | c'],
    ['a: |\n  x: |\n    y', 'x: |\n  y'],
  ])('ends a block with the file as go-yaml does: %j', (text, value) => {
    expect(parseDocuments(text, 'f')).toEqual([{ a: value }]);
  });
});
