import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addMs, dayMs } from '@nearhand/contract/durations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../test/harness.ts';
import type { Refusal } from '../hiring/job-import/posting.rules.ts';
import { makeBusiness } from '../people/businesses/businesses.fixtures.ts';
import { openPostingFile } from './posting-file.ts';
import { openReport } from './refused-report.ts';
import { runImport } from './run-import.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'nearhand-import-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(name: string, content: string | Uint8Array | object): Promise<string> {
  const file = path.join(folder, name);
  const raw =
    typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content);
  await writeFile(file, raw);
  return file;
}

const mapping = {
  source: 'harbour-board',
  id: { column: 'Ref' },
  title: { column: 'Job' },
  business: { column: 'Firm' },
  description: [{ column: 'About' }, { label: 'Shift', column: 'Hours' }],
  category: { rules: [{ match: 'deck|crane', category: 'logistics' }], default: 'office' },
  pay: {
    from: { column: 'Low' },
    to: { column: 'High' },
    unit: { column: 'Per', values: { Hourly: 'hour', Annual: 'year' } },
    currency: { value: 'EUR' },
  },
  headCount: { column: 'Spots' },
  hours: { column: 'Hours' },
  until: { column: 'Until', format: 'D-MMM-YY' },
  place: { column: 'Where', area: { value: 'Noord' }, country: { value: 'NL' } },
};
const header = 'Ref,Job,Firm,About,Low,High,Per,Spots,Hours,Until,Where';
const rows = [
  '1,Deck hand,Port of Noord,"Ropes, ""lines"" and\nlocks",16,18,Hourly,2,07:00 to 15:00,1-Dec-26,Pier 1',
  '2,Clerk,Port of Noord,Paper,30000,,Annual,,,,pier  1',
  '3,Diver,Port of Noord,Water,0,,Hourly,,,,Pier 1',
  '4,Cook,Galley & Sons,Soup,15,,Hourly,,,31-Feb-26,Pier 1',
  '5,Guard,Galley & Sons,Night,15,,Hourly,,,,Pier 9',
  '1,Deck hand again,Port of Noord,Twice,16,,Hourly,,,,Pier 1',
  '6,Short row,Port of Noord',
  '7,Late,Port of Noord,x,15,,Hourly,,,1-Jan-26,Pier 1',
  '8,Crane driver,Galley & Sons,Lift,20.50,,Hourly,600,,,Pier 1',
];
const places = 'work_location\tlat\tlng\nPier 1\t52.4012\t4.8909\n';

describe('an import of a generated file', () => {
  const app = useTestApp();
  let owner: Person;
  let csv: string;
  let map: string;
  let placesFile: string;
  beforeAll(async () => {
    owner = await app.person({ name: 'Nadia Bakker' });
    csv = await write('jobs.csv', `\ufeff${header}\r\n${rows.join('\r\n')}\r\n\r\n`);
    map = await write('map.json', mapping);
    placesFile = await write('places.tsv', places);
  });

  async function run(file = csv, mapFile: string | null = map, dry = false) {
    const refused: [number, string, string][] = [];
    const summary = await runImport({
      source: await openPostingFile({ file, map: mapFile, places: placesFile }),
      target: dry ? null : { db: app.db, scope: app.scopeOf(owner) },
      today: app.clock.now().toISOString().slice(0, 10),
      onRefused: (line: number, id: string, refusal: Refusal) => refused.push([line, id, refusal.code]),
      onProgress: () => {},
    });
    return { summary, refused };
  }
  const stored = () =>
    app.db.selectFrom('jobs').selectAll().where('source', '=', 'harbour-board').orderBy('sourceId').execute();

  it('changes nothing in a dry run', async () => {
    const { summary } = await run(csv, map, true);
    expect(summary).toMatchObject({ read: 9, good: 2, imported: 0 });
    expect(await stored()).toEqual([]);
  });

  it('rejects a unit that every object has, and continues', async () => {
    const units = ['constructor', 'toString', '__proto__'];
    const lines = units.map((unit, index) => `u${index},Job,Firm,About,15,,${unit},1,,,Pier 1`);
    const { refused } = await run(await write('units.csv', `${header}\n${lines.join('\n')}\n`), map, true);
    expect(refused.map(([, , code]) => code)).toEqual(units.map(() => 'pay-unit-unknown'));
  });

  it('imports the good rows and reports why it refused each other one', async () => {
    const { summary, refused } = await run();
    expect(summary).toMatchObject({ read: 9, imported: 2, updated: 0, same: 0 });
    expect(refused.sort((a, b) => a[0] - b[0])).toEqual([
      [5, '3', 'pay-missing'],
      [6, '4', 'date-unreadable'],
      [7, '5', 'place-not-found'],
      [8, '1', 'id-twice'],
      [9, '', 'unreadable-row'],
      [10, '7', 'posting-ended'],
      [11, '8', 'head-count-invalid'],
    ]);
    const jobs = await stored();
    expect(jobs).toMatchObject([
      {
        title: 'Deck hand',
        category: 'logistics',
        description: 'Ropes, "lines" and\nlocks\nShift: 07:00 to 15:00\n\nOpen there until 1 December 2026.',
        status: 'open',
        payMinor: 1600,
        payMaxMinor: 1800,
        payHourMinor: 1600,
        headCount: 2,
        hoursNote: '07:00 to 15:00',
        businessName: 'Port of Noord',
        timeZone: 'Europe/Amsterdam',
        // The source's last day ends at midnight in Amsterdam, which is 23:00 UTC in winter.
        expiresAt: new Date('2026-12-01T23:00:00Z'),
      },
      {
        title: 'Clerk',
        payUnit: 'year',
        payMinor: 3_000_000,
        hoursNote: 'Hours not given by the source',
      },
    ]);
    const life = app.config.JOB_LIFE_DAYS * dayMs;
    expect(jobs[1]?.expiresAt).toEqual(addMs(app.clock.now(), life));
  });

  it('creates a verified business per name, with jobs visible to the owner', async () => {
    const mine = await owner.api.businesses.mine();
    expect(mine.map(({ name, status, openJobs }) => ({ name, status, openJobs }))).toEqual([
      { name: 'Port of Noord', status: 'verified', openJobs: 2 },
    ]);
    const listed = await owner.api.jobs.listed({ businessId: mine[0]?.id ?? '', status: 'open' });
    expect(listed.items).toHaveLength(2);
    const [jobId] = listed.items.map((job) => job.id);
    const seen = await app.apiAs(null).jobs.get({ jobId: jobId ?? '' });
    expect(seen.business).toMatchObject({ name: 'Port of Noord', verified: true });
  });

  it('changes nothing when repeated', async () => {
    const before = await stored();
    const { summary } = await run();
    expect(summary).toMatchObject({ imported: 0, updated: 0, same: 2 });
    expect(await stored()).toEqual(before);
    expect(await owner.api.businesses.mine()).toHaveLength(1);
  });

  it("keeps the business's edits until the source changes, and never reopens", async () => {
    const [deck] = await stored();
    await app.db
      .updateTable('jobs')
      .set({ title: 'Deck hand, mornings', privateAddress: true })
      .where('id', '=', deck?.id ?? '')
      .execute();
    expect((await run()).summary.same).toBe(2);
    expect((await stored())[0]?.title).toBe('Deck hand, mornings');

    const dearer = await write(
      'dearer.csv',
      `${header}\n${rows[0]?.replace('16,18', '17,19')}\n${rows[1]}\n`,
    );
    expect((await run(dearer)).summary).toMatchObject({ imported: 0, updated: 1, same: 1 });
    expect((await stored())[0]).toMatchObject({
      title: 'Deck hand',
      payMinor: 1700,
      // No source states whether the business wants its address shown.
      privateAddress: true,
      version: (deck?.version ?? 0) + 1,
    });

    await owner.api.jobs.close({ jobId: deck?.id ?? '' });
    expect((await run()).summary).toMatchObject({ updated: 0, left: 1, same: 1 });
    expect((await stored())[0]).toMatchObject({ status: 'closed', payMinor: 1700 });
  });

  it('never lowers what hired workers were promised', async () => {
    const [, clerk] = await stored();
    const hired = (count: number) =>
      app.db
        .updateTable('jobs')
        .set({ hiredCount: count })
        .where('id', '=', clerk?.id ?? '')
        .execute();
    await hired(1);
    const cheaper = await write('cheaper.csv', `${header}\n${rows[1]?.replace('30000', '29000')}\n`);
    expect((await run(cheaper)).refused).toEqual([[2, '2', 'pay-fell-after-hire']]);
    await hired(0);
    expect((await run(cheaper)).summary.updated).toBe(1);
  });

  it('rejects rows of a business that was closed here', async () => {
    const [business] = await owner.api.businesses.mine();
    for (const job of (await owner.api.jobs.listed({ businessId: business?.id ?? '', status: 'open' })).items)
      await owner.api.jobs.close({ jobId: job.id });
    await owner.api.businesses.close({ businessId: business?.id ?? '' });
    const { summary } = await run();
    expect(summary.refused['business-not-hiring']).toBe(2);
  });

  it('opens no jobs for an unverified business', async () => {
    const newcomer = await app.person();
    await makeBusiness(app.db, app.scopeOf(newcomer), { name: 'Port of Noord', verified: false });
    const source = await openPostingFile({ file: csv, map, places: placesFile });
    const target = { db: app.db, scope: app.scopeOf(newcomer) };
    const summary = await runImport({
      source,
      target,
      today: '2026-11-21',
      onRefused: () => {},
      onProgress: () => {},
    });
    expect(summary).toMatchObject({ imported: 0, refused: { 'business-not-hiring': 2 } });
  });

  it('expires imported jobs like all others', async () => {
    const rival = await app.person();
    const source = await openPostingFile({ file: csv, map, places: placesFile });
    const target = { db: app.db, scope: app.scopeOf(rival) };
    const nothing = { onRefused: () => {}, onProgress: () => {} };
    expect(await runImport({ source, target, today: '2026-11-21', ...nothing })).toMatchObject({
      imported: 2,
    });
    app.clock.forward({ days: 31 });
    await app.runDue();
    expect(new Set((await stored()).map((job) => job.status))).toEqual(new Set(['closed', 'expired']));
  });

  it('reads schema.org JobPosting', async () => {
    const posting = {
      '@context': 'https://schema.org',
      '@type': 'JobPosting',
      identifier: { '@type': 'PropertyValue', name: 'Port', value: 'jl-1' },
      title: 'Lock keeper',
      description: '<p>Open &amp; close</p>',
      hiringOrganization: { '@type': 'Organization', name: 'Waterway Board' },
      jobLocation: {
        '@type': 'Place',
        geo: { latitude: '52.40', longitude: 4.89 },
        address: { streetAddress: 'Sluis 1', addressLocality: 'Amsterdam', addressCountry: 'NL' },
      },
      baseSalary: {
        '@type': 'MonetaryAmount',
        currency: 'EUR',
        value: { minValue: 20, maxValue: 22.5, unitText: 'HOUR' },
      },
      employmentType: ['PART_TIME', 'TEMPORARY'],
      datePosted: '2026-11-01',
    };
    const file = await write('jobs.json', [
      posting,
      { ...posting, identifier: 'jl-2', jobLocation: null, jobLocationType: 'TELECOMMUTE' },
    ]);
    expect(await run(file, null)).toMatchObject({
      summary: { read: 2, imported: 1 },
      refused: [[2, 'jl-2', 'remote-only']],
    });
    expect((await run(file, null)).summary).toMatchObject({ imported: 0, same: 1 });
    const [job] = await app.db.selectFrom('jobs').selectAll().where('source', '=', 'job-posting').execute();
    expect(job).toMatchObject({
      payMinor: 2000,
      payMaxMinor: 2250,
      hoursNote: 'Part-time, Temporary',
      area: 'Amsterdam',
      sourceId: 'jl-1',
    });
  });
});

describe('files that are refused as a whole', () => {
  const open = async (file: string, change: object = {}) =>
    openPostingFile({ file, map: await write('m.json', { ...mapping, ...change }), places: null }).then(
      () => 'opened',
      (error: Error) => error.message,
    );

  it('detects the delimiter', async () => {
    const semicolons = await write(
      'semi.csv',
      `${header.replaceAll(',', ';')}\n1;Deck hand;Port;x;16;;Hourly;;;;Pier 1\n`,
    );
    expect(await open(semicolons)).toBe('opened');
  });
  it.each<[string, string | Uint8Array, RegExp]>([
    ['a missing column', 'Ref,Job\n1,Cook\n', /has no column 'Firm', .* Its header has: Ref, Job\./],
    ['a doubled column', `${header},Ref\n`, /two columns 'Ref'/],
    ['an empty file', ' \n', /is empty/],
    ['a quote that never closes', `${header}\n1,"Cook,Port\n2,x\n`, /never closed\. Nothing was imported/],
    [
      'another encoding',
      Uint8Array.from([...Buffer.from(`${header}\n1,Caf`), 0xe9, 0x0a]),
      /not utf-8 text\. Save it as UTF-8/,
    ],
    ['an endless row', `${header}\n1,"${'x'.repeat(5_000_000)}`, /longer than 4 million characters/],
  ])('%s', async (_name, content, words) => {
    expect(await open(await write('bad.csv', content))).toMatch(words);
  });
  it('reads another encoding when the mapping names it', async () => {
    const file = await write('latin.csv', Uint8Array.from([...Buffer.from(`${header}\n1,Caf`), 0xe9, 0x0a]));
    expect(await open(file, { encoding: 'windows-1252' })).toBe('opened');
    expect(await open(file, { encoding: 'klingon' })).toMatch(/not supported/);
  });
  it('reports mistakes in a mapping', async () => {
    const file = await write('ok.csv', `${header}\n`);
    expect(
      await open(file, {
        titel: { column: 'Job' },
        category: { rules: [{ match: '(', category: 'office' }], default: 'x' },
      }),
    ).toMatch(/category\.rules\.0\.match: not a regular expression[\s\S]*category\.default[\s\S]*titel/);
    expect(await openPostingFile({ file, map: null, places: null }).catch((error) => error.message)).toMatch(
      /needs a mapping/,
    );
    expect(
      await openPostingFile({ file: `${file}x`, map: null, places: null }).catch((error) => error.message),
    ).toMatch(/no file/);
  });
  it('reports invalid JSON', async () => {
    for (const [text, words] of [
      ['{', /not JSON/],
      ['{"@type":"Event"}', /no schema.org JobPosting/],
      ['[]', /no schema.org/],
    ] as const)
      expect(
        await openPostingFile({ file: await write('x.json', text), map: null, places: null }).catch(
          (error) => error.message,
        ),
      ).toMatch(words);
  });
  it('writes a report that is safe to open in a spreadsheet', async () => {
    const report = await openReport(path.join(folder, 'deep', 'refused.csv'));
    report.add(3, '=1+1', { code: 'pay-missing', words: 'He said "no", twice' });
    await report.close();
    expect(await readFile(report.file, 'utf8')).toBe(
      `line,id,reason,words\n3,'=1+1,pay-missing,"He said ""no"", twice"\n`,
    );
  });
});

const data = path.resolve(import.meta.dirname, '../../../../../shared/data');
const real = path.join(data, 'nyc-jobs.csv');

/** Imports all of the data if it is next to the repository, which doesn't contain it. */
describe.skipIf(!existsSync(real))('the postings of New York City', () => {
  const app = useTestApp();
  it('imports every placed row with pay, and changes nothing the second time', async () => {
    const owner = await app.person();
    const refused: Refusal[] = [];
    const run = async () =>
      runImport({
        source: await openPostingFile({
          file: real,
          map: path.resolve(import.meta.dirname, '../../imports/nyc-jobs.map.json'),
          places: path.join(data, 'nyc-places.tsv'),
        }),
        target: { db: app.db, scope: app.scopeOf(owner) },
        today: '2026-11-21',
        onRefused: (_line, _id, refusal) => refused.push(refusal),
        onProgress: () => {},
      });
    expect(await run()).toMatchObject({
      read: 2_659,
      imported: 2_180,
      refused: { 'place-not-found': 474, 'pay-missing': 5 },
      fixed: { 'title-shortened': 5 },
    });
    expect(refused).toHaveLength(479);
    expect(refused.every(({ words }) => words.length > 10)).toBe(true);
    expect(await run()).toMatchObject({ read: 2_659, imported: 0, updated: 0, same: 2_180 });

    const nearest = await app
      .apiAs(null)
      .nearby.search({ lat: 40.7127, lng: -74.0059, radiusKm: 2, widen: 'false' });
    expect(nearest.items).toHaveLength(20);
    expect(nearest.items.every(({ distanceM }) => distanceM !== null && distanceM <= 2_000)).toBe(true);
  }, 120_000);
});
