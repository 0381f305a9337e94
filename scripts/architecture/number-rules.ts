import { Visitor } from 'oxc-parser';
import { domainOf } from './domains.ts';
import type { Violation } from './import-rules.ts';
import type { SourceFile } from './source-files.ts';

const isTest = (file: string) => /\.(test|spec|samples|fixtures)\.tsx?$/.test(file);
const isContract = (file: string) => file.startsWith('packages/contract/src/');

/** Calls that bound a value in a schema of the contract: methods of zod, and the contract's own texts. */
const boundMethods = ['min', 'max', 'length', 'gte', 'lte', 'gt', 'lt', 'multipleOf'];
const boundTexts = ['line', 'prose'];
/** Attributes that bound what a field takes. */
const boundAttributes = ['maxLength', 'minLength', 'max', 'min'];
/** Lengths below this are about shape ("two answers or more"), not limits. */
const leastLength = 10;

type Node = { type: string; start: number };

/** The literal number in an expression: `300`, `-90`, `24 * 60`; null if it has a name. */
function literalOf(node: unknown): number | null {
  const one = node as Node & Record<string, unknown>;
  if (one.type === 'Literal') return typeof one.value === 'number' ? one.value : null;
  if (one.type === 'UnaryExpression') return literalOf(one.argument);
  if (one.type === 'JSXExpressionContainer') return literalOf(one.expression);
  if (one.type !== 'BinaryExpression') return null;
  const [left, right] = [literalOf(one.left), literalOf(one.right)];
  return left === null || right === null ? null : Math.max(left, right);
}

/**
 * Limits without a name: in schemas of the contract, in the fields of forms, and in comparisons of a length in the domains. A limit that form and server both
 * need is a named constant of the contract (`limits.ts` or a `*.rules.ts`); a number in place is the copy that drifts.
 */
export function numberViolations(files: readonly SourceFile[]): Violation[] {
  return files
    .filter((file) => !isTest(file.path) && (isContract(file.path) || domainOf(file.path) !== null))
    .flatMap((file) => {
      const found: Violation[] = [];
      const report = (node: Node, value: number, where: string) => {
        const line = file.text.slice(0, node.start).split('\n').length;
        const message = `has the number ${value} ${where} at line ${line}; name it in limits.ts or a *.rules.ts of the contract`;
        found.push({ file: file.path, message });
      };
      new Visitor({
        CallExpression(node) {
          if (!isContract(file.path)) return;
          const { callee } = node;
          const bounds =
            callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
              ? boundMethods.includes(callee.property.name) &&
                !(callee.object.type === 'Identifier' && callee.object.name === 'Math')
              : callee.type === 'Identifier' && boundTexts.includes(callee.name);
          if (!bounds) return;
          for (const argument of node.arguments) {
            const value = literalOf(argument);
            if (value !== null && value > 1) report(node, value, 'in a schema');
          }
        },
        JSXAttribute(node) {
          if (node.name.type !== 'JSXIdentifier' || !boundAttributes.includes(node.name.name)) return;
          const value = node.value === null ? null : literalOf(node.value);
          if (value !== null && value > 1) report(node, value, `in ${node.name.name}`);
        },
        BinaryExpression(node) {
          if (!/^[<>]=?$/.test(node.operator)) return;
          const isLength = (side: typeof node.left) =>
            side.type === 'MemberExpression' &&
            side.property.type === 'Identifier' &&
            side.property.name === 'length';
          const value = isLength(node.left) ? literalOf(node.right) : null;
          if (value !== null && value >= leastLength) report(node, value, 'against a length');
        },
      }).visit(file.program);
      return found;
    });
}

/** Words of a name that say how, not what: `titleMax` and `titleMost` are about a title. */
const measures =
  'max most min least limit length per of the an a day minute hour ms byte minor km m basis point'.split(' ');
const nounsOf = (name: string) =>
  name
    .split(/(?=[A-Z])|_/)
    .map((word) => word.toLowerCase().replace(/s$/, ''))
    .filter((word) => !measures.includes(word));

/** Constants that copy a limit of the contract under a name of their own: the same number for the same nouns. */
export function copiedLimits(
  files: readonly SourceFile[],
  limits: Readonly<Record<string, unknown>>,
): Violation[] {
  return files
    .filter(
      (file) =>
        !isTest(file.path) &&
        /^(apps|packages)\//.test(file.path) &&
        file.path !== 'packages/contract/src/limits.ts',
    )
    .flatMap((file) => {
      const found: Violation[] = [];
      new Visitor({
        VariableDeclarator(node) {
          if (node.id.type !== 'Identifier' || node.init?.type !== 'Literal') return;
          const { name } = node.id;
          const { value } = node.init;
          if (typeof value !== 'number' || value < 2) return;
          const nouns = nounsOf(name);
          const key = Object.keys(limits).find((one) => {
            const wanted = nounsOf(one);
            return limits[one] === value && wanted.length > 0 && wanted.every((noun) => nouns.includes(noun));
          });
          if (key !== undefined)
            found.push({ file: file.path, message: `${name} = ${value} copies limits.${key}; use that` });
        },
      }).visit(file.program);
      return found;
    });
}
