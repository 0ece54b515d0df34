// tolerance: 0.0003
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -2.22420093 1.3118734 -0.0413966748 2.78552539 -1.55625019 -6.83089137 -2.99937035 14.1444956 -8.0651723 4.19838928 -0.4350159 0.573578813 -2.29945237 -11.8138798 0.254178745 5.90340059
// cost: 25 instructions, 3025174 ticks
module {
  func.func public @main(%arg0: tensor<3x5x6x6xf32>, %arg1: tensor<5xf32>) -> (tensor<3x5x6x6xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<3x5x6x6xf32>, tensor<f32>) -> tensor<5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<5xf32>) -> tensor<1x5x1x1xf32>
    %cst_0 = stablehlo.constant dense<1.080000e+02> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x5x1x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<1x5x1x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x5x1x1xf32>) -> tensor<3x5x6x6xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<3x5x6x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6 = call @_var(%arg0, %c) : (tensor<3x5x6x6xf32>, tensor<i32>) -> tensor<1x5x1x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x5x1x1xf32>
    %8 = stablehlo.add %6, %7 : tensor<1x5x1x1xf32>
    %9 = stablehlo.rsqrt %8 : tensor<1x5x1x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<1x5x1x1xf32>) -> tensor<3x5x6x6xf32>
    %11 = stablehlo.multiply %5, %10 : tensor<3x5x6x6xf32>
    %12 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<5xf32>) -> tensor<5x1x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [1, 2, 3] : (tensor<5x1x1xf32>) -> tensor<1x5x1x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x5x1x1xf32>) -> tensor<3x5x6x6xf32>
    %15 = stablehlo.multiply %11, %14 : tensor<3x5x6x6xf32>
    return %15 : tensor<3x5x6x6xf32>
  }
  func.func private @_var(%arg0: tensor<3x5x6x6xf32>, %arg1: tensor<i32>) -> tensor<1x5x1x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<3x5x6x6xf32>, tensor<f32>) -> tensor<5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<5xf32>) -> tensor<1x5x1x1xf32>
    %cst_0 = stablehlo.constant dense<1.080000e+02> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x5x1x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<1x5x1x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x5x1x1xf32>) -> tensor<3x5x6x6xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<3x5x6x6xf32>
    %6 = chlo.square %5 : tensor<3x5x6x6xf32> -> tensor<3x5x6x6xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.080000e+02> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<3x5x6x6xf32>, tensor<f32>) -> tensor<5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<5xf32>) -> tensor<1x5x1x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<1x5x1x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<1x5x1x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where(%13, %12, %cst_4) : (tensor<i1>, tensor<1x5x1x1xf32>, tensor<f32>) -> tensor<1x5x1x1xf32>
    return %14 : tensor<1x5x1x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<1x5x1x1xf32>, %arg2: tensor<f32>) -> tensor<1x5x1x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x5x1x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<1x5x1x1xf32>
    return %2 : tensor<1x5x1x1xf32>
  }
}
