// tolerance: 1e-05
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: draw 3 -1 0.0078125 257
// in: 0.5
// out: 0.342214853 0.0787823275 0.122020461 0.347603947 0.109378435 0.165827662 0.212926924 0.373698413 0.107906118 0.139640898 0.239501253 0.224990606 0.28889367 0.147552446 0.0990620255
// out: -0.10502243 0.843644142 0.384950638 -0.275788307 0.310920715 -0.367961884 0.00125598907 -0.539113998 0.840660095 0.736427307 0.166683197 -0.0690546036 0.162534714 0.0659036636 0.835784912
// out: -0.25478068 0.292252123 0.156963095 0.119112492 0.246502817 0.153383881 0.00268712291 -0.185629353 -0.185338855 0.187735483 -0.216450244 -0.102889024 -0.186688334 -0.0370520726 0.24019964
func.func @main(%x: tensor<3x5xf32>, %g: tensor<3x5xf32>, %w: tensor<5xf32>, %e: tensor<f32>) -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) {
  %a = stablehlo.custom_call @AwsNeuronSoftmax(%x) {backend_config = "1"} : (tensor<3x5xf32>) -> tensor<3x5xf32>
  %b = stablehlo.custom_call @AwsNeuronSoftmaxBackward(%g, %x) {backend_config = "0"} : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  %c = stablehlo.custom_call @AwsNeuronRmsNorm(%x, %w, %e) {backend_config = "1"} : (tensor<3x5xf32>, tensor<5xf32>, tensor<f32>) -> tensor<3x5xf32>
  return %a, %b, %c : tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>
}
// -----
module @module {
  func.func public @main(%0: tensor<3x5xf32>, %1: tensor<3x5xf32>, %2: tensor<5xf32>, %3: tensor<f32>) -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) {
    %4 = "stablehlo.call"(%0) <{callee = @"AwsNeuronSoftmax 1 (tensor<3x5xf32>) -> (tensor<3x5xf32>)"}> : (tensor<3x5xf32>) -> (tensor<3x5xf32>)
    %5 = "stablehlo.call"(%1, %0) <{callee = @"AwsNeuronSoftmaxBackward 0 (tensor<3x5xf32>, tensor<3x5xf32>) -> (tensor<3x5xf32>)"}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> (tensor<3x5xf32>)
    %6 = "stablehlo.call"(%0, %2, %3) <{callee = @"AwsNeuronRmsNorm 1 (tensor<3x5xf32>, tensor<5xf32>, tensor<f32>) -> (tensor<3x5xf32>)"}> : (tensor<3x5xf32>, tensor<5xf32>, tensor<f32>) -> (tensor<3x5xf32>)
    "stablehlo.return"(%4, %5, %6) : (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) -> ()
  }
  func.func private @"AwsNeuronSoftmax 1 (tensor<3x5xf32>) -> (tensor<3x5xf32>)"(%0: tensor<3x5xf32>) -> (tensor<3x5xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %3 = "stablehlo.convert"(%0) : (tensor<3x5xf32>) -> (tensor<3x5xf32>)
    %4 = "stablehlo.reduce"(%3, %1) <{dimensions = array<i64: 1>}> ({
    ^bb0(%5: tensor<f32>, %6: tensor<f32>):
      %7 = "stablehlo.maximum"(%5, %6) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%7) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> (tensor<3xf32>)
    %8 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf32>) -> (tensor<3x5xf32>)
    %9 = "stablehlo.subtract"(%3, %8) : (tensor<3x5xf32>, tensor<3x5xf32>) -> (tensor<3x5xf32>)
    %10 = "stablehlo.exponential"(%9) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<3x5xf32>) -> (tensor<3x5xf32>)
    %11 = "stablehlo.reduce"(%10, %2) <{dimensions = array<i64: 1>}> ({
    ^bb0(%12: tensor<f32>, %13: tensor<f32>):
      %14 = "stablehlo.add"(%12, %13) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%14) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> (tensor<3xf32>)
    %15 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf32>) -> (tensor<3x5xf32>)
    %16 = "stablehlo.divide"(%10, %15) : (tensor<3x5xf32>, tensor<3x5xf32>) -> (tensor<3x5xf32>)
    %17 = "stablehlo.convert"(%16) : (tensor<3x5xf32>) -> (tensor<3x5xf32>)
    "stablehlo.return"(%17) : (tensor<3x5xf32>) -> ()
  }
  func.func private @"AwsNeuronSoftmaxBackward 0 (tensor<3x5xf32>, tensor<3x5xf32>) -> (tensor<3x5xf32>)"(%0: tensor<3x5xf32>, %1: tensor<3x5xf32>) -> (tensor<3x5xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %3 = "stablehlo.convert"(%0) : (tensor<3x5xf32>) -> (tensor<3x5xf32>)
    %4 = "stablehlo.convert"(%1) : (tensor<3x5xf32>) -> (tensor<3x5xf32>)
    %5 = "stablehlo.multiply"(%3, %4) : (tensor<3x5xf32>, tensor<3x5xf32>) -> (tensor<3x5xf32>)
    %6 = "stablehlo.reduce"(%5, %2) <{dimensions = array<i64: 0>}> ({
    ^bb0(%7: tensor<f32>, %8: tensor<f32>):
      %9 = "stablehlo.add"(%7, %8) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%9) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> (tensor<5xf32>)
    %10 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 1>}> : (tensor<5xf32>) -> (tensor<3x5xf32>)
    %11 = "stablehlo.subtract"(%3, %10) : (tensor<3x5xf32>, tensor<3x5xf32>) -> (tensor<3x5xf32>)
    %12 = "stablehlo.multiply"(%4, %11) : (tensor<3x5xf32>, tensor<3x5xf32>) -> (tensor<3x5xf32>)
    %13 = "stablehlo.convert"(%12) : (tensor<3x5xf32>) -> (tensor<3x5xf32>)
    "stablehlo.return"(%13) : (tensor<3x5xf32>) -> ()
  }
  func.func private @"AwsNeuronRmsNorm 1 (tensor<3x5xf32>, tensor<5xf32>, tensor<f32>) -> (tensor<3x5xf32>)"(%0: tensor<3x5xf32>, %1: tensor<5xf32>, %2: tensor<f32>) -> (tensor<3x5xf32>) {
    %3 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %4 = "stablehlo.constant"() <{value = dense<5.000000000e+00> : tensor<3xf32>}> : () -> (tensor<3xf32>)
    %5 = "stablehlo.convert"(%0) : (tensor<3x5xf32>) -> (tensor<3x5xf32>)
    %6 = "stablehlo.multiply"(%5, %5) : (tensor<3x5xf32>, tensor<3x5xf32>) -> (tensor<3x5xf32>)
    %7 = "stablehlo.reduce"(%6, %3) <{dimensions = array<i64: 1>}> ({
    ^bb0(%8: tensor<f32>, %9: tensor<f32>):
      %10 = "stablehlo.add"(%8, %9) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%10) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> (tensor<3xf32>)
    %11 = "stablehlo.divide"(%7, %4) : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>)
    %12 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3xf32>)
    %13 = "stablehlo.add"(%11, %12) : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>)
    %14 = "stablehlo.rsqrt"(%13) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<3xf32>) -> (tensor<3xf32>)
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf32>) -> (tensor<3x5xf32>)
    %16 = "stablehlo.multiply"(%5, %15) : (tensor<3x5xf32>, tensor<3x5xf32>) -> (tensor<3x5xf32>)
    %17 = "stablehlo.convert"(%1) : (tensor<5xf32>) -> (tensor<5xf32>)
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 1>}> : (tensor<5xf32>) -> (tensor<3x5xf32>)
    %19 = "stablehlo.multiply"(%16, %18) : (tensor<3x5xf32>, tensor<3x5xf32>) -> (tensor<3x5xf32>)
    %20 = "stablehlo.convert"(%19) : (tensor<3x5xf32>) -> (tensor<3x5xf32>)
    "stablehlo.return"(%20) : (tensor<3x5xf32>) -> ()
  }
}
