// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// in: draw 4 -1 9.5367431640625e-07 2097153
// out: sums -365.199441 339.982253 47.7867899 47.0390491 -368.031023 -391.826872 -196.170339 199.538321 381.459688 -200.813722 124.975707 121.347353 -71.9770747 141.1776 209.185751 170.668082
// cost: 20 instructions, 1116020 ticks
module {
  func.func public @main(%arg0: tensor<33x40xf32>, %arg1: tensor<40x130xf32>, %arg2: tensor<40x130xf32>, %arg3: tensor<130x40xf32>) -> (tensor<33x40xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<33x40xf32>, tensor<40x130xf32>) -> tensor<33x130xf32>
    %1 = call @silu(%0) : (tensor<33x130xf32>) -> tensor<33x130xf32>
    %2 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<33x40xf32>, tensor<40x130xf32>) -> tensor<33x130xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<33x130xf32>
    %4 = stablehlo.dot_general %3, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<33x130xf32>, tensor<130x40xf32>) -> tensor<33x40xf32>
    return %4 : tensor<33x40xf32>
  }
  func.func private @silu(%arg0: tensor<33x130xf32>) -> tensor<33x130xf32> {
    %0 = stablehlo.negate %arg0 : tensor<33x130xf32>
    %1 = stablehlo.exponential %0 : tensor<33x130xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<33x130xf32>
    %3 = stablehlo.add %2, %1 : tensor<33x130xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<33x130xf32>
    %5 = stablehlo.divide %4, %3 : tensor<33x130xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<33x130xf32>
    return %6 : tensor<33x130xf32>
  }
}
