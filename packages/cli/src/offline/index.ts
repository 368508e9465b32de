export { runDiff } from './diff.ts';
export { type PlanFlags, runPlan } from './plan.ts';
export { type RenderFlags, runRender } from './render.ts';
export { runValidate } from './validate.ts';
