/* Newton's iteration on the equations of one stage. A stage seeks the increment d from the committed
 * state with
 *
 *     v = c_v d + v̂,     a = c_a d + â,
 *
 * v̂ and â being the predictor terms of its scheme, such that the equations hold and the constraints
 * are met at position level. */
#ifndef CORDAGE_SOLVE_NEWTON_H
#define CORDAGE_SOLVE_NEWTON_H

#include "solve/problem.h"

/* An iteration in steps, so that the clusters of an island iterate together. Its state is cluster.newton. */
typedef struct iteration_ops {
    /* Assembles at the trial, factors and solves: the correction in w->delta, that of multipliers in cluster.x. */
    cord_status (*correct)(problem *w, cluster *s);
    /* The size of the correction, and the fraction of it that the blocks admit. */
    cord_status (*measure)(problem *w, cluster *s);
    void (*move)(problem *w, cluster *s, double fraction);
    bool (*settled)(const problem *w, const cluster *s);
    /* Prepares the next iteration; a failure where it is given up. */
    cord_status (*proceed)(problem *w, cluster *s);
    /* After the last iteration. */
    cord_status (*end)(problem *w, cluster *s);
} iteration_ops;

extern const iteration_ops cord__newton;

/* A hash of the active set of one-sided constraints; 0: there are none. */
unsigned cord__active_set(const problem *w, const cluster *s);
/* Whether the active set differs from that at the start of the step so that velocities may jump. */
bool cord__has_impact(const problem *w, const cluster *s);

/* Begins an iteration on a stage of a step h; and iterates until every cluster has settled. */
void cord__begin_iteration(cluster *s, const stage *t, const newton_limits *limits, double h);
/* After the begin of a second stage with the c_a of the first: its first correction takes the factor of that where it leaves no
 * more than round-off, since the cluster is about at rest. */
void cord__continue_factor(const problem *w, cluster *s);
cord_status cord__iterate(problem *w, const island *of, const iteration_ops *by);

/* measure and move of cord__newton in a batch (batch.h), which has computed the values and moves the cluster. */
cord_status cord__measured_in_batch(cluster *s, double size, double nonlinearity);
void cord__moved_in_batch(const problem *w, cluster *s, double row_error);

/* iteration_ops.measure without a bound: the correction must be finite. */
cord_status cord__measure_correction(problem *w, cluster *s);

/* The trial state begins at the committed one. `rows`: only rows are evaluated there. */
void cord__begin_step(problem *w, cluster *s, bool rows);

/* The first guess of a stage of length h: the velocity and the acceleration of the trial persist, d = h v + c h² a. The factor c is
 * one of four: of clusters with a constant mass; of a block alone whose mass depends on q, and of clusters of such blocks and
 * splines, or with capstan friction; of a block alone of which the state has the mean acceleration of the last step; of other clusters with
 * blocks whose mass depends on q, where the acceleration is left out unless c h² a is a slight motion.
 *
 * Where the error of one iteration can be foreseen (block_shape.foresees_error) a guess that is better by an order saves a second
 * one. There the acceleration goes on as it changed since the start of the step, a* = a + trend (a − a₀), and the guess is the
 * increment that has this acceleration in the stage: d = (a* − â)/c_a. */
typedef struct acceleration_weight {
    double constant, varying, mean, coupled, trend;
} acceleration_weight;
bool cord__extrapolates(const problem *w, const cluster *s, const acceleration_weight *weight);
double cord__factor_of_acceleration(const problem *w, const cluster *s,
                                    const acceleration_weight *weight);
void cord__predict(problem *w, cluster *s, double h, const acceleration_weight *weight,
                   const stage *t);

/* The predictor of a step in one stage: v̂ = 0, â = a_v v₀. */
void cord__one_stage_predictor(problem *w, const cluster *s, double a_v);

/* q ← q ⊕ scale δ, d ← d + scale δ. */
void cord__move(problem *w, const cluster *s, double scale);

/* The largest fraction of the correction δ that every block admits, at most 1. */
double cord__step_bound(const problem *w, const cluster *s);

/* block_ops.nonlinearity of the correction, the largest of all blocks. */
double cord__nonlinearity(const problem *w, const cluster *s);

/* The largest correction, in units of a small change of its dof, and the block it is in. */
double cord__correction_size(const problem *w, const cluster *s, int *worst);

/* Shared dofs, and dofs that follow from others, in a vector over all dofs. */
void cord__share_dofs(const problem *w, const cluster *s, double *v);

#endif
