import { describe, expect, it } from 'vitest';
import whole from '../src/generated/console-contract.json';
import app from '../src/generated/contract.json';

const text = (contract: unknown) => JSON.stringify(contract);

describe('the contracts that reach browsers', () => {
  it("have operators' operations in the console only", () => {
    expect(text(whole)).toContain('/operators/cases');
    expect(text(app)).not.toContain('/operators/cases');
    expect(text(app)).toContain('/jobs/{jobId}');
  });
});
