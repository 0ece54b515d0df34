// tolerance: 1e-06
// in: draw 1 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<20x9xf32>) -> (tensor<20x9xf32>) {
    %1 = "stablehlo.all_reduce"(%0) <{channel_id = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids = false}> ({
    ^bb0(%2: tensor<f32>, %3: tensor<f32>):
      %4 = "stablehlo.add"(%2, %3) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%4) : (tensor<f32>) -> ()
    }) : (tensor<20x9xf32>) -> (tensor<20x9xf32>)
    %5 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0 : i64, channel_id = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids = false}> : (tensor<20x9xf32>) -> (tensor<20x9xf32>)
    %6 = "stablehlo.multiply"(%5, %0) : (tensor<20x9xf32>, tensor<20x9xf32>) -> (tensor<20x9xf32>)
    %7 = "stablehlo.collective_permute"(%6) <{channel_id = 0 : i64, source_target_pairs = array<i64: 0, 0>}> : (tensor<20x9xf32>) -> (tensor<20x9xf32>)
    %8 = "stablehlo.add"(%7, %1) : (tensor<20x9xf32>, tensor<20x9xf32>) -> (tensor<20x9xf32>)
    "stablehlo.return"(%8) : (tensor<20x9xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<20x9xf32>) -> (tensor<20x9xf32>) {
    %6 = "stablehlo.multiply"(%0, %0) : (tensor<20x9xf32>, tensor<20x9xf32>) -> (tensor<20x9xf32>)
    %8 = "stablehlo.add"(%6, %0) : (tensor<20x9xf32>, tensor<20x9xf32>) -> (tensor<20x9xf32>)
    "stablehlo.return"(%8) : (tensor<20x9xf32>) -> ()
  }
}
