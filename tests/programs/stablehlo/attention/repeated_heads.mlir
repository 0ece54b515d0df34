// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -1.7190945 -4.43427883 -8.6741581 2.6196654 4.05943132 -4.08478681 -3.02401003 -3.08105823 -0.608962768 -2.15987595 -5.13851563 -6.99305663 7.8012659 0.28948409 -4.63302233 -2.52600643
// cost: 36 instructions, 2036800 ticks
module {
  func.func public @main(%arg0: tensor<1x6x20x16xf32>, %arg1: tensor<1x2x20x16xf32>, %arg2: tensor<1x2x20x16xf32>) -> (tensor<1x6x20x16xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 3, 4] : (tensor<1x2x20x16xf32>) -> tensor<1x2x3x20x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x3x20x16xf32>) -> tensor<1x6x20x16xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 3, 4] : (tensor<1x2x20x16xf32>) -> tensor<1x2x3x20x16xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x2x3x20x16xf32>) -> tensor<1x6x20x16xf32>
    %4 = stablehlo.iota dim = 0 : tensor<20xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<20xi32>) -> tensor<20x1xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<20x1xi32>
    %7 = stablehlo.add %5, %6 : tensor<20x1xi32>
    %8 = stablehlo.iota dim = 0 : tensor<20xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<20xi32>) -> tensor<1x20xi32>
    %10 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<20x1xi32>) -> tensor<20x20xi32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<1x20xi32>) -> tensor<20x20xi32>
    %12 = stablehlo.compare GE, %10, %11, SIGNED : (tensor<20x20xi32>, tensor<20x20xi32>) -> tensor<20x20xi1>
    %13 = stablehlo.dot_general %arg0, %1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x6x20x16xf32>, tensor<1x6x20x16xf32>) -> tensor<1x6x20x20xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x6x20x20xf32>
    %15 = stablehlo.multiply %13, %14 : tensor<1x6x20x20xf32>
    %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %16 = call @_where(%12, %15, %cst_0) : (tensor<20x20xi1>, tensor<1x6x20x20xf32>, tensor<f32>) -> tensor<1x6x20x20xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<1x6x20x20xf32>, tensor<f32>) -> tensor<1x6x20xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x6x20xf32>
    %19 = stablehlo.maximum %18, %17 : tensor<1x6x20xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<1x6x20xf32>) -> tensor<1x6x20x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<1x6x20x1xf32>) -> tensor<1x6x20x20xf32>
    %22 = stablehlo.subtract %16, %21 : tensor<1x6x20x20xf32>
    %23 = stablehlo.exponential %22 : tensor<1x6x20x20xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<1x6x20x20xf32>, tensor<f32>) -> tensor<1x6x20xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<1x6x20xf32>) -> tensor<1x6x20x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<1x6x20x1xf32>) -> tensor<1x6x20x20xf32>
    %27 = stablehlo.divide %23, %26 : tensor<1x6x20x20xf32>
    %28 = stablehlo.dot_general %27, %3, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x6x20x20xf32>, tensor<1x6x20x16xf32>) -> tensor<1x6x20x16xf32>
    return %28 : tensor<1x6x20x16xf32>
  }
  func.func private @_where(%arg0: tensor<20x20xi1>, %arg1: tensor<1x6x20x20xf32>, %arg2: tensor<f32>) -> tensor<1x6x20x20xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<20x20xi1>) -> tensor<1x6x20x20xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x6x20x20xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<1x6x20x20xi1>, tensor<1x6x20x20xf32>
    return %3 : tensor<1x6x20x20xf32>
  }
}
