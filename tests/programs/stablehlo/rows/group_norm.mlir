// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -0.903378535 14.5413577 1.01996574 -2.85005946 9.07783609 -3.62512267 10.4675686 -9.43632677 -10.6729788 1.3714302 -0.0231056493 -2.30381773 4.84607484 -6.25935923 2.05709074 -6.01205534
// cost: 17 instructions, 2749036 ticks
module {
  func.func public @main(%arg0: tensor<2x3x8x9xf32>) -> (tensor<2x3x8x9xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2, 3] : (tensor<2x3x8x9xf32>, tensor<f32>) -> tensor<2x3xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x1x1xf32>
    %cst_0 = stablehlo.constant dense<7.200000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x3x1x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x3x1x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<2x3x1x1xf32>) -> tensor<2x3x8x9xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x3x8x9xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6 = call @_var(%arg0, %c) : (tensor<2x3x8x9xf32>, tensor<i32>) -> tensor<2x3x1x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x3x1x1xf32>
    %8 = stablehlo.add %6, %7 : tensor<2x3x1x1xf32>
    %9 = stablehlo.rsqrt %8 : tensor<2x3x1x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x3x1x1xf32>) -> tensor<2x3x8x9xf32>
    %11 = stablehlo.multiply %5, %10 : tensor<2x3x8x9xf32>
    return %11 : tensor<2x3x8x9xf32>
  }
  func.func private @_var(%arg0: tensor<2x3x8x9xf32>, %arg1: tensor<i32>) -> tensor<2x3x1x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2, 3] : (tensor<2x3x8x9xf32>, tensor<f32>) -> tensor<2x3xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x1x1xf32>
    %cst_0 = stablehlo.constant dense<7.200000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x3x1x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x3x1x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<2x3x1x1xf32>) -> tensor<2x3x8x9xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x3x8x9xf32>
    %6 = chlo.square %5 : tensor<2x3x8x9xf32> -> tensor<2x3x8x9xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<7.200000e+01> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [2, 3] : (tensor<2x3x8x9xf32>, tensor<f32>) -> tensor<2x3xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x1x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<2x3x1x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<2x3x1x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where(%13, %12, %cst_4) : (tensor<i1>, tensor<2x3x1x1xf32>, tensor<f32>) -> tensor<2x3x1x1xf32>
    return %14 : tensor<2x3x1x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<2x3x1x1xf32>, %arg2: tensor<f32>) -> tensor<2x3x1x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x3x1x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x3x1x1xf32>
    return %2 : tensor<2x3x1x1xf32>
  }
}
