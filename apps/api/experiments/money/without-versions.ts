import {
  type BinaryOperationNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  OperatorNode,
  type PluginTransformQueryArgs,
  type RootOperationNode,
  type UpdateQueryNode,
  ValueNode,
} from 'kysely';

/** An update that asks for the version or the state it read finds its row whatever that is by now. */
class VersionRemover extends OperationNodeTransformer {
  #updating = false;

  protected override transformUpdateQuery(node: UpdateQueryNode): UpdateQueryNode {
    this.#updating = true;
    const changed = super.transformUpdateQuery(node);
    this.#updating = false;
    return changed;
  }

  protected override transformBinaryOperation(node: BinaryOperationNode): BinaryOperationNode {
    const changed = super.transformBinaryOperation(node);
    const { leftOperand: left, operator } = node;
    const column =
      left.kind === 'ReferenceNode' && 'column' in left
        ? ((left.column as { column?: { name?: string } }).column?.name ?? '')
        : '';
    const asksForState = ['version', 'status'].includes(column);
    const isEqual = OperatorNode.is(operator) && operator.operator === '=';
    if (!this.#updating || !asksForState || !isEqual) return changed;
    return {
      ...changed,
      leftOperand: ValueNode.createImmediate(1),
      rightOperand: ValueNode.createImmediate(1),
    };
  }
}

/** For a negative control, beside `withoutLocks`: nothing notices any more that a row was changed by somebody else meanwhile. */
export const withoutVersions: KyselyPlugin = {
  transformQuery: ({ node }: PluginTransformQueryArgs): RootOperationNode =>
    new VersionRemover().transformNode(node),
  transformResult: async ({ result }) => result,
};
