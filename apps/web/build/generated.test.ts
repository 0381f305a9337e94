import { brotliCompressSync } from 'node:zlib';
import { contract } from '@nearhand/contract/contract';
import type { AnyContractProcedure } from '@orpc/contract';
import { describe, expect, it } from 'vitest';
import whole from '../src/generated/console-operations.json';
import app from '../src/generated/operations.json';
import { type OperationTable, readOperations } from '../src/lib/api/client/api-link.ts';
import { writeOperations } from './operation-table.ts';

const routesIn = (table: OperationTable) =>
  Object.entries(table).flatMap(([slice, text]) =>
    [...readOperations(text)].map(([name, { method, segments }]) => {
      const path = segments.map((segment) => segment.replace(/^:(.*)$/, '{$1}')).join('/');
      return `${slice}.${name} ${method} /${path}`;
    }),
  );

const routesOf = (keep: (access: string) => boolean) =>
  Object.entries(contract).flatMap(([slice, operations]) =>
    Object.entries(operations as Record<string, AnyContractProcedure>).flatMap(([name, operation]) => {
      const { route, meta } = operation['~orpc'];
      const { access } = meta as { access: string };
      return keep(access) ? [`${slice}.${name} ${route.method} ${route.path}`] : [];
    }),
  );

describe('the tables of operations that reach browsers', () => {
  it('contain every method and path of the contract', () => {
    expect(routesIn(whole)).toEqual(routesOf(() => true));
    expect(routesIn(whole).length).toBeGreaterThan(300);
  });

  it("contain operators' operations only in the console", () => {
    expect(routesIn(app)).toEqual(routesOf((access) => access !== 'operator'));
    expect(routesIn(app).length).toBeLessThan(routesIn(whole).length);
  });

  it('take less than 2.5 KiB in the app, less than the same as text', () => {
    expect(brotliCompressSync(JSON.stringify(app)).length).toBeLessThan(2_560);
    expect(brotliCompressSync(routesIn(app).join('\n')).length).toBeGreaterThan(2_560);
  });

  it('write out unusual routes', () => {
    const routes = [
      { name: 'get', method: 'GET', path: '/jobs/{jobId}' },
      { name: 'checkIn', method: 'POST', path: '/jobs/{jobId}/check-in' },
      { name: 'undo', method: 'DELETE', path: '/jobs/{jobId}/check-in' },
      { name: 'of', method: 'PUT', path: '/{owner}/jobs/{id}' },
      { name: 'other', method: 'PATCH', path: '/businesses/{businessId}/cities/{cityId}' },
    ];
    const text = writeOperations(routes);
    expect(text).toBe(
      'get jobs/: checkIn +2~ undo -2check-in of =:owner/jobs/:id other *businesses/:/cities/:',
    );
    const read = [...readOperations(text)].map(([name, { method, segments }]) => ({
      name,
      method,
      path: `/${segments.map((one) => one.replace(/^:(.*)$/, '{$1}')).join('/')}`,
    }));
    expect(read).toEqual(routes);
  });

  it("reject what they can't encode", () => {
    const route = { name: 'get', path: '/jobs' };
    expect(() => writeOperations([{ ...route, method: 'TRACE' }])).toThrow('TRACE');
    expect(() => writeOperations([{ ...route, method: 'GET', path: '/2/jobs' }])).toThrow('2');
  });
});
