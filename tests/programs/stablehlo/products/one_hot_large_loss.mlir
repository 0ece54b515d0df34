// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 1 0 1 200
// out: 6.65400648
// cost: 58 instructions, 3207827 ticks
module {
  func.func public @main(%arg0: tensor<40x30xf32>, %arg1: tensor<30x200xf32>, %arg2: tensor<40xi32>) -> (tensor<f32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x30xf32>, tensor<30x200xf32>) -> tensor<40x200xf32>
    %1 = call @log_softmax(%0) : (tensor<40x200xf32>) -> tensor<40x200xf32>
    %2 = call @_one_hot(%arg2) : (tensor<40xi32>) -> tensor<40x200xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<40x200xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<40x200xf32>, tensor<f32>) -> tensor<40xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<40xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<4.000000e+01> : tensor<f32>
    %6 = stablehlo.divide %5, %cst_1 : tensor<f32>
    %7 = stablehlo.negate %6 : tensor<f32>
    return %7 : tensor<f32>
  }
  func.func private @log_softmax(%arg0: tensor<40x200xf32>) -> tensor<40x200xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<40x200xf32>, tensor<f32>) -> tensor<40xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<40xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<40xf32>) -> tensor<40x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x200xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<40x200xf32>
    %6 = stablehlo.exponential %5 : tensor<40x200xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<40x200xf32>, tensor<f32>) -> tensor<40xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<40xf32>) -> tensor<40x1xf32>
    %9 = stablehlo.log %8 : tensor<40x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x200xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<40x200xf32>
    return %11 : tensor<40x200xf32>
  }
  func.func private @_one_hot(%arg0: tensor<40xi32>) -> tensor<40x200xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x200xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<40x1xi32>) -> tensor<40x200xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x200xi32>) -> tensor<40x200xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<40x200xi32>, tensor<40x200xi32>) -> tensor<40x200xi1>
    %5 = stablehlo.convert %4 : (tensor<40x200xi1>) -> tensor<40x200xf32>
    return %5 : tensor<40x200xf32>
  }
}
