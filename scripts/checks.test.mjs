// @ts-check
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import {
  afterSecondRun,
  countPlaywright,
  countVitest,
  failedFiles,
  failedJourneys,
  failedTests,
  flakyJourneys,
  skippedTests,
  sum,
  summary,
} from './checks.mjs';

const passing = { status: 'passed', assertionResults: [{ status: 'passed' }] };
const failing = { status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] };
const unloadable = { status: 'failed', assertionResults: [] };

describe('the count of tests', () => {
  it("matches Vitest's report, plus one for each file that failed to load", () => {
    const report = { numPassedTests: 2, numFailedTests: 1, testResults: [passing, failing, unloadable] };
    expect(countVitest(report, 1)).toEqual({ passed: 2, failed: 2 });
  });

  it("matches Playwright's report, without a test that passed on a retry", () => {
    expect(countPlaywright({ stats: { expected: 3, flaky: 1, unexpected: 2, skipped: 5 } }, 1)).toEqual({
      passed: 3,
      failed: 2,
    });
  });

  it('has a failure whenever a runner failed, with or without a report', () => {
    expect(countVitest(undefined, 1)).toEqual({ passed: 0, failed: 1 });
    expect(countVitest({ numPassedTests: 1, numFailedTests: 0, testResults: [passing] }, 1)).toEqual({
      passed: 1,
      failed: 1,
    });
    expect(countPlaywright(undefined, 1)).toEqual({ passed: 0, failed: 1 });
    expect(countPlaywright({ stats: { expected: 1 } }, 0)).toEqual({ passed: 1, failed: 0 });
  });

  it('lists each failed test, and each file that failed to load', () => {
    const file = (/** @type {string} */ name) => path.resolve(import.meta.dirname, '..', name);
    const results = [
      { status: 'failed', fullName: 'a list is empty' },
      { status: 'passed', fullName: 'b' },
    ];
    const testResults = [
      { name: file('one.test.ts'), status: 'failed', assertionResults: results },
      { name: file('two.test.ts'), ...unloadable },
      { name: file('three.test.ts'), ...passing },
    ];
    expect(failedTests({ testResults })).toEqual([
      'one.test.ts: a list is empty',
      'two.test.ts: could not be loaded',
    ]);
    expect(failedTests(undefined)).toEqual([]);
  });

  it('lists the files with skipped tests', () => {
    const file = (/** @type {string} */ name) => path.resolve(import.meta.dirname, '..', name);
    const testResults = [
      {
        name: file('one.test.ts'),
        status: 'passed',
        assertionResults: [{ status: 'skipped' }, { status: 'passed' }],
      },
      { name: file('two.test.ts'), ...passing },
    ];
    expect(skippedTests({ testResults })).toEqual(['one.test.ts: 1']);
    expect(skippedTests(undefined)).toEqual([]);
  });

  it('lists each failed journey, also in a nested group', () => {
    const passed = { file: 'a.spec.ts', title: 'is fine', ok: true };
    const failed = { file: 'a.spec.ts', title: 'breaks', ok: false };
    const nested = { specs: [failed], suites: [{ specs: [failed, passed] }] };
    expect(failedJourneys({ suites: [{ specs: [passed], suites: [nested] }] })).toEqual([
      'a.spec.ts: breaks',
      'a.spec.ts: breaks',
    ]);
    expect(failedJourneys(undefined)).toEqual([]);
  });

  it('lists each journey that passed on a retry', () => {
    const steady = { file: 'a.spec.ts', title: 'is fine', ok: true, tests: [{ status: 'expected' }] };
    const flaky = { file: 'a.spec.ts', title: 'is late', ok: true, tests: [{ status: 'flaky' }] };
    expect(flakyJourneys({ suites: [{ specs: [steady], suites: [{ specs: [flaky] }] }] })).toEqual([
      'a.spec.ts: is late',
    ]);
  });

  it('uses the second run, and reports what failed only once', () => {
    const first = { passed: 8, failed: 2, names: ['a: late', 'b: broken'] };
    const steady = { passed: 3, failed: 0, names: [] };
    expect(afterSecondRun(first, steady)).toMatchObject({
      passed: 8,
      failed: 0,
      names: [],
      flaky: first.names,
    });
    const broken = { passed: 2, failed: 1, names: ['b: broken'] };
    expect(afterSecondRun(first, broken)).toMatchObject({
      passed: 8,
      failed: 1,
      names: ['b: broken'],
      flaky: ['a: late'],
    });
    const unreported = { passed: 0, failed: 1, names: [] };
    expect(afterSecondRun(first, unreported)).toMatchObject({ failed: 1, names: first.names, flaky: [] });
  });

  it('reruns the files of failed tests, and those that failed to load', () => {
    const file = (/** @type {string} */ name) => path.resolve(import.meta.dirname, '..', name);
    const testResults = [
      { name: file('one.test.ts'), ...failing },
      { name: file('two.test.ts'), ...unloadable },
      { name: file('three.test.ts'), ...passing },
    ];
    expect(failedFiles({ testResults })).toEqual(['one.test.ts', 'two.test.ts']);
    expect(failedFiles(undefined)).toEqual([]);
  });

  it('ends the output, and a test that fails once and then passes fails only the nightly run', () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    try {
      const count = { passed: 8, failed: 0, names: [], flaky: ['a: late'] };
      expect(summary(count)).toBe(0);
      expect(log).toHaveBeenCalledWith('~ a: late (failed once, then passed)');
      expect(log).toHaveBeenLastCalledWith('8 passed, 0 failed');
      expect(summary(count, { flakyFails: true })).toBe(1);
      expect(log).toHaveBeenLastCalledWith('8 passed, 1 failed');
      expect(summary({ passed: 1, failed: 1, names: ['b: broken'] })).toBe(1);
      expect(log).toHaveBeenCalledWith('✗ b: broken');
    } finally {
      log.mockRestore();
    }
  });

  it('adds up', () => {
    expect(
      sum([
        { passed: 1, failed: 0 },
        { passed: 2, failed: 3 },
      ]),
    ).toEqual({ passed: 3, failed: 3, names: [], flaky: [], skipped: [] });
    expect(sum([])).toEqual({ passed: 0, failed: 0, names: [], flaky: [], skipped: [] });
  });
});
