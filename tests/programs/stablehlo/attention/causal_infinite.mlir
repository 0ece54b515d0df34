// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -3.66221385 -1.75676378 0.0918841265 -1.47611713 1.67790373 -0.585493544 -0.0757368467 -3.48489573 -2.39109027 -1.49802413 -2.63253301 4.4541779 0.0949572427 2.85976656 -4.60107243 -0.79094199
// cost: 33 instructions, 1318104 ticks
module {
  func.func public @main(%arg0: tensor<2x20x16xf32>, %arg1: tensor<2x20x16xf32>, %arg2: tensor<2x20x16xf32>) -> (tensor<2x20x16xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<20xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<20xi32>) -> tensor<20x1xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<20x1xi32>
    %3 = stablehlo.add %1, %2 : tensor<20x1xi32>
    %4 = stablehlo.iota dim = 0 : tensor<20xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<20xi32>) -> tensor<1x20xi32>
    %6 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<20x1xi32>) -> tensor<20x20xi32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x20xi32>) -> tensor<20x20xi32>
    %8 = stablehlo.compare GE, %6, %7, SIGNED : (tensor<20x20xi32>, tensor<20x20xi32>) -> tensor<20x20xi1>
    %9 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x20x16xf32>, tensor<2x20x16xf32>) -> tensor<2x20x20xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x20x20xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<2x20x20xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = call @_where(%8, %11, %cst_0) : (tensor<20x20xi1>, tensor<2x20x20xf32>, tensor<f32>) -> tensor<2x20x20xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<2x20x20xf32>, tensor<f32>) -> tensor<2x20xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %15 = stablehlo.maximum %14, %13 : tensor<2x20xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<2x20xf32>) -> tensor<2x20x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x20x1xf32>) -> tensor<2x20x20xf32>
    %18 = stablehlo.subtract %12, %17 : tensor<2x20x20xf32>
    %19 = stablehlo.exponential %18 : tensor<2x20x20xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x20x20xf32>, tensor<f32>) -> tensor<2x20xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<2x20xf32>) -> tensor<2x20x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x20x1xf32>) -> tensor<2x20x20xf32>
    %23 = stablehlo.divide %19, %22 : tensor<2x20x20xf32>
    %24 = stablehlo.dot_general %23, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x20x20xf32>, tensor<2x20x16xf32>) -> tensor<2x20x16xf32>
    return %24 : tensor<2x20x16xf32>
  }
  func.func private @_where(%arg0: tensor<20x20xi1>, %arg1: tensor<2x20x20xf32>, %arg2: tensor<f32>) -> tensor<2x20x20xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<20x20xi1>) -> tensor<2x20x20xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x20x20xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x20x20xi1>, tensor<2x20x20xf32>
    return %3 : tensor<2x20x20xf32>
  }
}
