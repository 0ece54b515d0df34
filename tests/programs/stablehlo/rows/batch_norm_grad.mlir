// tolerance: 0.0001
// routines: batch_norm_grad
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 0.25 9.5367431640625e-07 2097152
// in: draw 4 -1 9.5367431640625e-07 2097153
// in: draw 5 0.25 9.5367431640625e-07 2097152
// in: draw 6 -1 9.5367431640625e-07 2097153
// out: sums 10.2074546 1.62719543 1.02991407 15.7368789 4.01141377 -0.765220902 8.50437 0 0.173382839 -3.0377256 2.43414641 2.82656224 -4.43186685 -0.252171676 0.740956469 2.79431441
// out: 1.58466589 1.3381387 -6.1500411
// out: -0.205591202 -1.81513786 -1.62725353
// cost: 0 instructions, 21280 ticks
func.func @main(%x: tensor<4x5x3xf32>, %s: tensor<3xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>, %g: tensor<4x5x3xf32>) -> (tensor<4x5x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %y:3 = "stablehlo.batch_norm_grad"(%x, %s, %m, %v, %g) {epsilon = 1.000000e-03 : f32, feature_index = 2 : i64} : (tensor<4x5x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x5x3xf32>) -> (tensor<4x5x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %y#0, %y#1, %y#2 : tensor<4x5x3xf32>, tensor<3xf32>, tensor<3xf32>
}
