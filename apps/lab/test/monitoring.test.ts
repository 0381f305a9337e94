import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Panel, panelFaults } from '../experiments/drills/monitoring.ts';

const file = path.resolve(import.meta.dirname, '../../../docs/monitoring/dashboard.json');

/** The part of `npm run experiments -- monitoring` that needs no Prometheus. */
describe('the dashboard', () => {
  it('has a title of its own and a unit for every panel', async () => {
    expect(panelFaults(JSON.parse(await readFile(file, 'utf8')))).toEqual([]);
  });

  it('is found wanting without them', () => {
    const whole: Panel = {
      type: 'timeseries',
      title: 'Up',
      fieldConfig: { defaults: { unit: 'none' } },
      targets: [{ expr: 'up' }],
    };
    const { title: _, ...untitled } = whole;
    const panels = [whole, { ...whole, fieldConfig: { defaults: {} } }, untitled, { ...whole, targets: [] }];
    expect(panelFaults({ panels })).toEqual([
      'Up is the title of two panels',
      'Up has no unit',
      'panel 3 has no title',
      'Up is the title of two panels',
      'Up shows nothing',
    ]);
  });
});
