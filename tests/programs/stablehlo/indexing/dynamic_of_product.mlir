// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: 5
// out: sums 3.92341595 -0.59031201 2.03123632 -2.51084601 -8.96936701 -3.04820367 -3.30138327 0 5.42066561 -0.91243261 -1.11722154 -4.5186253 4.40936126 9.3755333 -0.332630411 6.85453852
// cost: 27 instructions, 1328241 ticks
module {
  func.func public @main(%arg0: tensor<20x16xf32>, %arg1: tensor<16x20xf32>, %arg2: tensor<i32>) -> (tensor<3x20xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<20x16xf32>, tensor<16x20xf32>) -> tensor<20x20xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %arg2, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<20> : tensor<i32>
    %2 = stablehlo.add %arg2, %c_0 : tensor<i32>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.dynamic_slice %0, %3, %c_1, sizes = [3, 20] : (tensor<20x20xf32>, tensor<i32>, tensor<i32>) -> tensor<3x20xf32>
    return %4 : tensor<3x20xf32>
  }
}
