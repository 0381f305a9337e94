import {
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  ReferenceNode,
  type RootOperationNode,
  type UpdateQueryNode,
  WhereNode,
} from 'kysely';

const leavesOf = (node: OperationNode): OperationNode[] =>
  AndNode.is(node) ? [...leavesOf(node.left), ...leavesOf(node.right)] : [node];

const isGuard = (node: OperationNode): boolean =>
  BinaryOperationNode.is(node) &&
  ReferenceNode.is(node.leftOperand) &&
  ColumnNode.is(node.leftOperand.column) &&
  ['version', 'status'].includes(node.leftOperand.column.column.name);

class GuardRemover extends OperationNodeTransformer {
  protected override transformUpdateQuery(node: UpdateQueryNode): UpdateQueryNode {
    const update = super.transformUpdateQuery(node);
    const conditions = update.where ? leavesOf(update.where.where).filter((leaf) => !isGuard(leaf)) : [];
    const [first, ...rest] = conditions;
    if (!first) return update;
    const condition = rest.reduce<OperationNode>((left, right) => AndNode.create(left, right), first);
    return { ...update, where: WhereNode.create(condition) };
  }
}

/** The negative control of racing moves: updates ignore the version and state that were read. */
export const withoutVersions: KyselyPlugin = {
  transformQuery: ({ node }: PluginTransformQueryArgs): RootOperationNode =>
    new GuardRemover().transformNode(node),
  transformResult: async ({ result }) => result,
};
