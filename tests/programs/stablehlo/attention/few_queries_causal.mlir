// tolerance: 0.02
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: draw 3 -1 0.0078125 257
// out: sums -1.12091118 0.507208709 0.676915959 -0.757696431 -0.0188102052 -0.990733325 -0.472701609 -0.430121422 -0.780166095 -0.305306733 0.687119363 0.0682542026 -0.376361728 0.352850504 0.341332316 -0.575178832
// cost: 126 instructions, 1992033 ticks
module {
  func.func public @main(%arg0: tensor<6x2x3x64xbf16>, %arg1: tensor<6x2x256x64xbf16>, %arg2: tensor<6x2x256x64xbf16>) -> (tensor<6x2x3x64xbf16>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<6x2x3x64xbf16>, tensor<6x2x256x64xbf16>) -> tensor<6x2x3x256xf32>
    %cst = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x2x3x256xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<6x2x3x256xf32>
    %3 = stablehlo.iota dim = 0 : tensor<3xi32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %5 = stablehlo.iota dim = 0 : tensor<256xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<256xi32>) -> tensor<1x256xi32>
    %c = stablehlo.constant dense<200> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %8 = stablehlo.add %4, %7 : tensor<3x1xi32>
    %9 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<1x256xi32>) -> tensor<3x256xi32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<3x1xi32>) -> tensor<3x256xi32>
    %11 = stablehlo.compare LE, %9, %10, SIGNED : (tensor<3x256xi32>, tensor<3x256xi32>) -> tensor<3x256xi1>
    %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %12 = call @_where(%11, %2, %cst_0) : (tensor<3x256xi1>, tensor<6x2x3x256xf32>, tensor<f32>) -> tensor<6x2x3x256xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<6x2x3x256xf32>, tensor<f32>) -> tensor<6x2x3xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x2x3xf32>
    %15 = stablehlo.maximum %14, %13 : tensor<6x2x3xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<6x2x3xf32>) -> tensor<6x2x3x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<6x2x3x1xf32>) -> tensor<6x2x3x256xf32>
    %18 = stablehlo.subtract %12, %17 : tensor<6x2x3x256xf32>
    %19 = stablehlo.exponential %18 : tensor<6x2x3x256xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<6x2x3x256xf32>, tensor<f32>) -> tensor<6x2x3xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<6x2x3xf32>) -> tensor<6x2x3x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<6x2x3x1xf32>) -> tensor<6x2x3x256xf32>
    %23 = stablehlo.divide %19, %22 : tensor<6x2x3x256xf32>
    %24 = stablehlo.convert %23 : (tensor<6x2x3x256xf32>) -> tensor<6x2x3x256xbf16>
    %25 = stablehlo.dot_general %24, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<6x2x3x256xbf16>, tensor<6x2x256x64xbf16>) -> tensor<6x2x3x64xbf16>
    return %25 : tensor<6x2x3x64xbf16>
  }
  func.func private @_where(%arg0: tensor<3x256xi1>, %arg1: tensor<6x2x3x256xf32>, %arg2: tensor<f32>) -> tensor<6x2x3x256xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<3x256xi1>) -> tensor<6x2x3x256xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6x2x3x256xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<6x2x3x256xi1>, tensor<6x2x3x256xf32>
    return %3 : tensor<6x2x3x256xf32>
  }
}
